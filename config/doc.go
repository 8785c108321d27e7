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
// github.com/magiconair/properties 1.18.13 was measured beside JDK 17, with
// expansion off and ISO-8859-1, and does not read what Java reads: a continued
// line in a file with CRLF line ends is cut at the backslash and its rest
// becomes a key; a continuation inside or before a key puts a line feed into
// the key; a surrogate pair (\ud83d\ude00) becomes two replacement characters;
// a backslash that ends the file, and a line without a key ("=x"), are errors,
// and the second quotes the value in its text. It also gives no line numbers
// for keys, which the messages here need. To bridge this, half a reader would
// stand in front of it, so there is a whole one: properties.go is the two loops
// of the format and nothing else. It agrees with the JVM on the vectors in
// testdata/properties (vectors.json and more.json) and agreed on 240 000
// random files made of the characters that matter.
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
