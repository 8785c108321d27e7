// Package config reads what says how to reach a cluster: Kafka's own
// client.properties, with the meaning that Kafka's command line tools give to
// the file behind --command-config.
//
// # Reading
//
// A file passes four readers, one file of this package each:
//
//	properties.go  the syntax of java.util.Properties, ISO-8859-1
//	keys.go        the table of keys: honoured, of no matter, other spelling, refused
//	jaas.go        the syntax of sasl.jaas.config
//	connection.go  the Connection that the values mean (sasl.go, tls.go, store.go)
//
// A key is never ignored in silence: it is honoured, known to make no
// difference to dtok, noted, or refused with its name and line.
//
// # Why not a properties library
//
// github.com/magiconair/properties 1.18 was measured against JDK 17 and reads
// other values than Java in these cases: a continued line in a file with CRLF
// line ends is cut at the backslash; a continuation inside a key puts a line
// feed into the key; a backslash as the last byte of a file is an error; a
// surrogate pair (\ud83d\ude00) becomes two replacement characters; a line
// without a key ("=x") is dropped; a form feed after a backslash-newline in a
// blank line ends the value. It also gives no line numbers for keys, which the
// messages here need, and its errors quote the input. Half of a reader would
// have been needed in front of it, so there is a whole one: properties.go is
// the two loops of the format and nothing else. It agrees with the JVM on all
// committed vectors (testdata/properties) and on random files (see the
// package's tests for the generator's alphabet).
//
// # Paths
//
// A path in the file, and the path of the file, may begin with "~/", which is
// the home directory; Java itself does not know this. A relative path starts
// at the working directory, as with Kafka's tools, not at the file. Messages
// about a missing file show the absolute path that was tried.
//
// # Secrets
//
// Passwords and keys are held as Secret. Error texts and notes hold names of
// keys, lines and reasons, and never a value; a name that dtok does not know is
// only shown when it resembles one, because a broken line can put a piece of a
// password where a name should be. Bytes read are overwritten once used.
package config
