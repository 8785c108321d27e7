package kafka

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"time"
)

// Claims are what a JSON Web Token (RFC 7519) says of itself. They are not
// verified and are for people to read; none of them is a secret. Every one may
// be missing.
type Claims struct {
	Subject, Issuer string
	Audience        []string
	// Expires is zero where the token does not say.
	Expires time.Time
}

// IsZero reports a token that is no JWT, or one that says nothing.
func (c Claims) IsZero() bool {
	return c.Subject == "" && c.Issuer == "" && len(c.Audience) == 0 && c.Expires.IsZero()
}

// ReadClaims reads the claims of a bearer token; zero for one that is no JWT,
// which is as good a token.
func ReadClaims(token []byte) Claims {
	parts := bytes.Split(token, []byte("."))
	if len(parts) != 3 {
		return Claims{}
	}
	payload, err := base64.RawURLEncoding.DecodeString(string(bytes.TrimRight(parts[1], "=")))
	defer clear(payload)
	var raw struct {
		Sub, Iss json.RawMessage
		Aud      json.RawMessage
		Exp      json.Number
	}
	if err != nil || json.Unmarshal(payload, &raw) != nil {
		return Claims{}
	}
	c := Claims{Subject: text(raw.Sub), Issuer: text(raw.Iss)}
	if json.Unmarshal(raw.Aud, &c.Audience) != nil {
		c.Audience = nil
		if one := text(raw.Aud); one != "" {
			c.Audience = []string{one}
		}
	}
	// NumericDate may have a fraction (RFC 7519 section 2).
	if seconds, err := raw.Exp.Float64(); err == nil && seconds > 0 && seconds < 1e11 {
		c.Expires = time.Unix(int64(seconds), 0).UTC()
	}
	return c
}

// text is a JSON string's text, "" for anything else.
func text(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
