// Package oauth gets the bearer tokens that kafka.Dial signs in with
// (OAUTHBEARER) from a token endpoint, with a client's own id and secret. A
// token is got anew for each sign-in and kept nowhere.
package oauth
