// Package kerberos gets the tickets that kafka.Dial signs in with (GSSAPI):
// with a keytab, or out of a ticket cache that kinit has filled. The protocol
// is gokrb5's and franz-go's; what is here reads the files that MIT Kerberos
// and Java use, bounds every wait, and turns failures into sentences.
package kerberos
