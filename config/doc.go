// Package config reads what says how to reach a cluster: Kafka's own
// client.properties, with the meaning that Kafka's command line tools give to
// the file behind --command-config, and dtok's config.yaml, which names
// clusters as environments.
//
// # client.properties
//
// A file passes four readers, each in a file of its own:
//
//	properties.go  the syntax of java.util.Properties, ISO-8859-1
//	keys.go        the table of keys: honoured, of no matter, other spelling, refused
//	jaas.go        the syntax of sasl.jaas.config
//	connection.go  the Connection that the values mean
//
// and the last one has sasl.go with password.go, oauth.go and kerberos.go for
// the ways to sign in, and tls.go with store.go for certificates: pem.go,
// jks.go and pkcs12.go are the formats of stores.
//
// A key is never ignored in silence: it is honoured, known to make no
// difference to dtok, noted, or refused with its name and line.
//
// # config.yaml
//
//	path.go         where it is
//	yaml.go         the tree of a YAML file, read strictly
//	file.go         the File: environments and the default one
//	environment.go  an Environment, envsettings.go its settings of Kafka
//	source.go       where a password comes from, command.go by running what gives it
//	resolve.go      from an Environment to a Connection
//	init.go         the example and the schema
//	import.go       environments of what other tools have
//
// dtok writes this file once, when it is asked to and there is none.
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
// # Why not store libraries
//
// github.com/pavlo-v-chernykh/keystore-go 4.5 checks the sum of every store, so
// that a trust store without a password, which Java reads, cannot be read;
// takes the bytes of a password where the format has UTF-16; and panics on a
// damaged key, or reserves what a damaged length asks for.
// software.sslmate.com/src/go-pkcs12 0.7 reads one key of a store, with the
// password of the store, and as a trust store only one whose certificates are
// all marked; Java takes several keys, a key's own password, and of any store
// what is marked and the keys' own certificates. Both hide what is needed to do
// so. They write the stores of the tests, and testdata/properties/stores holds
// what the JVM makes of those of keytool and OpenSSL.
//
// # Paths
//
// A path in the file, and the path of the file, may begin with "~/", which is
// the home directory; Java itself does not know this. A relative path starts
// at the working directory, as with Kafka's tools, not at the file. Messages
// about a missing file show the absolute path that was tried. In config.yaml a
// relative path starts at the folder of that file.
//
// # Secrets
//
// Passwords and keys are held as Secret. Error texts and notes hold names of
// keys, lines and reasons, and never a value; a name that dtok does not know is
// only shown when it resembles one, because a broken line can put a piece of a
// password where a name should be. Bytes read are overwritten once used.
package config
