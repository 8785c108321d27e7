package main

import (
	"context"

	"dtok/config"
	"dtok/kafka"
	"dtok/kafka/kerberos"
	"dtok/kafka/oauth"
)

// credentials are what a connection signs in with, nil where nobody does. Each
// call gives a copy of the password, because a client overwrites its own when
// it is closed. Tokens and tickets are got for each sign-in.
func credentials(c *config.Connection) *kafka.Credentials {
	if c.Mechanism == "" {
		return nil
	}
	as := &kafka.Credentials{Mechanism: c.Mechanism, User: c.User, TokenAuth: c.TokenAuth}
	if c.Password != nil {
		as.Password = secretOf(c.Password)
	}
	if o := c.OAuth; o != nil {
		as.Extensions = o.Extensions
		as.OAuth = tokenFile{o}
		if o.TokenFile == "" {
			as.OAuth = oauth.Client{
				Endpoint: o.TokenEndpoint, ID: o.ClientID, Secret: secretOf(o.ClientSecret), EncodeHeader: o.URLEncode, Scope: o.Scope,
				TLS: o.TLS, ConnectTimeout: o.ConnectTimeout, ReadTimeout: o.ReadTimeout,
			}
		}
	}
	if k := c.Kerberos; k != nil {
		as.Kerberos = kerberos.Login{Service: k.ServiceName, Principal: k.Principal, Cache: k.TicketCache, Keytab: k.Keytab, Config: k.Krb5Conf}
	}
	return as
}

// secretOf copies a secret of the settings.
func secretOf(s *config.Secret) (secret *kafka.Secret) {
	s.Use(func(b []byte) { secret = kafka.NewSecret(append([]byte(nil), b...)) })
	return secret
}

// tokenFile reads a bearer token from the file that the settings name. Whoever
// renews the token only has to write the file.
type tokenFile struct{ *config.OAuth }

func (f tokenFile) BearerToken(context.Context) (*kafka.Secret, error) {
	token, err := f.ReadToken()
	if err != nil {
		return nil, err
	}
	return secretOf(token), nil
}
