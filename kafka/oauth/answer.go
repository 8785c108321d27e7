package oauth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"dtok/kafka"
)

const wrongURL = "Check the URL of the token endpoint: it may be a login page's, or a proxy answers in its place."

// errorWords are the codes of RFC 6749 section 5.2, which is all of a refusal
// that is shown: descriptions are free text and have been seen to repeat what
// was sent.
var errorWords = map[string]string{
	"invalid_client":         "The client's id is not known there, or its secret is wrong or has expired.",
	"invalid_scope":          "The client may not have that scope.",
	"unauthorized_client":    "The client may not use the client credentials grant.",
	"unsupported_grant_type": "The endpoint does not know the client credentials grant.",
	"invalid_grant":          "The endpoint does not accept the grant for this client.",
	"invalid_request":        "The endpoint wants something more or else in the request; a scope, perhaps.",
}

// tokenOf takes the token out of an answer, or says why there is none in it.
func tokenOf(place string, answer *http.Response, body []byte) (*kafka.Secret, error) {
	var said struct {
		Error string          `json:"error"`
		Token json.RawMessage `json:"access_token"`
	}
	isJSON := json.Unmarshal(body, &said) == nil
	defer clear(said.Token)
	status := fmt.Sprintf("HTTP %d", answer.StatusCode)
	if hint, known := errorWords[said.Error]; known {
		return nil, &Error{problem: fmt.Sprintf("%s refuses the client (%s, %s)", place, status, said.Error), hint: hint}
	}
	switch code := answer.StatusCode; {
	case code >= 300 && code < 400:
		return nil, &Error{problem: fmt.Sprintf("%s sends dtok elsewhere (%s), where the client's secret is not sent", place, status), hint: wrongURL}
	case code == http.StatusUnauthorized:
		return nil, &Error{problem: fmt.Sprintf("%s refuses the client (%s)", place, status), hint: errorWords["invalid_client"]}
	case code == http.StatusForbidden:
		return nil, &Error{problem: fmt.Sprintf("%s refuses the client (%s)", place, status), hint: errorWords["unauthorized_client"]}
	case code == http.StatusNotFound:
		return nil, &Error{problem: fmt.Sprintf("%s has nothing at that path (%s)", place, status), hint: wrongURL}
	case code == http.StatusProxyAuthRequired:
		return nil, &Error{problem: fmt.Sprintf("the proxy in front of %s wants a sign-in of its own (%s)", place, status)}
	case code >= 500:
		return nil, &Error{problem: fmt.Sprintf("%s fails (%s)", place, status), hint: "That is the endpoint's own fault; ask again later."}
	case code != http.StatusOK:
		return nil, &Error{problem: fmt.Sprintf("%s gives no token (%s)", place, status)}
	}
	token := bytes.Trim(said.Token, `"`)
	switch {
	case !isJSON && looksLikeHTML(answer, body):
		return nil, &Error{problem: place + " answers with a web page, not with a token", hint: wrongURL}
	case !isJSON:
		return nil, &Error{problem: place + " answers with something else than JSON", hint: wrongURL}
	case len(token) == 0 || len(said.Token) != len(token)+2:
		return nil, &Error{problem: place + " answers without an access_token", hint: wrongURL}
	}
	return kafka.NewSecret(unescaped(token)), nil
}

// unescaped is a copy without JSON's way to write a slash; no other character of
// a token needs an escape, and what has one is refused before it is sent.
func unescaped(token []byte) []byte { return bytes.ReplaceAll(token, []byte(`\/`), []byte(`/`)) }

func looksLikeHTML(answer *http.Response, body []byte) bool {
	return strings.Contains(answer.Header.Get("Content-Type"), "html") || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}
