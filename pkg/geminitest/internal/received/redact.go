package received

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Redacted stands in a [Request] where a key or token stood.
const Redacted = "REDACTED"

// secretHeaders hold keys and tokens, in the spelling of net/http.
var secretHeaders = []string{"X-Goog-Api-Key", "Authorization", "Proxy-Authorization", "Cookie", "X-Goog-Iam-Authorization-Token"}

// secretQueries hold them in an address, where Google's servers take them too.
var secretQueries = []string{"key", "access_token", "oauth_token"}

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
	query := clone.Query()
	for name := range query {
		if slices.Contains(secretQueries, strings.TrimPrefix(name, "$")) {
			query[name] = []string{Redacted}
			clone.RawQuery = query.Encode()
		}
	}
	return &clone
}
