// Package kdc starts a real Kerberos KDC, MIT's, for tests: a realm of its own
// on a loopback port, without rights and without a place in the system. Where
// the programs are not installed, Debian's packages are unpacked beside the
// jars, which needs no rights either.
package kdc
