package received

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Redacted replaces a key or token in a [Request].
const Redacted = "REDACTED"

// secretHeaders hold keys and tokens, in the spelling of net/http. Gateways before Google's servers
// accept Api-Key and X-Api-Key.
var secretHeaders = []string{
	"X-Goog-Api-Key", "Authorization", "Proxy-Authorization", "Cookie",
	"X-Goog-Iam-Authorization-Token", "Api-Key", "X-Api-Key",
}

// secretQueries hold keys and tokens in an address, where Google's servers accept them too. Letter
// case is ignored: a key in a spelling that a server refuses is still a key.
var secretQueries = []string{"key", "access_token", "oauth_token", "api_key", "apikey"}

func redactedHeader(h http.Header) http.Header {
	clone := h.Clone()
	for name := range clone {
		if slices.Contains(secretHeaders, http.CanonicalHeaderKey(name)) {
			clone[name] = []string{Redacted}
		}
	}
	return clone
}

func redactedURL(u *url.URL) *url.URL {
	clone := *u
	clone.User = nil
	query, err := url.ParseQuery(u.RawQuery)
	hasSecret := err != nil // an unreadable query is omitted
	for name := range query {
		if isSecret(name) {
			query[name], hasSecret = []string{Redacted}, true
		}
	}
	if hasSecret {
		clone.RawQuery = query.Encode()
	}
	return &clone
}

func isSecret(query string) bool {
	return slices.Contains(secretQueries, strings.ToLower(strings.TrimPrefix(query, "$")))
}

// SecretsOf returns the keys and tokens in the headers and the address of an HTTP request.
func SecretsOf(r *http.Request) []string {
	var secrets []string
	for _, name := range secretHeaders {
		for _, value := range r.Header.Values(name) {
			_, token, _ := strings.Cut(value, " ") // of "Bearer TOKEN"
			secrets = append(secrets, value, token)
		}
	}
	for name, values := range r.URL.Query() {
		if isSecret(name) {
			secrets = append(secrets, values...)
		}
	}
	return slices.DeleteFunc(secrets, func(secret string) bool { return secret == "" })
}

// AddressWithoutKeys returns the path and the sorted query, without keys and tokens.
func AddressWithoutKeys(u *url.URL) string {
	query := u.Query()
	for name := range query {
		if isSecret(name) {
			delete(query, name)
		}
	}
	address := url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: query.Encode()}
	return address.String()
}
