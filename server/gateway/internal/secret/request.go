package secret

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Where a client's request has credentials: headers, and parameters of the query.
var (
	headers = []string{"Authorization", "Proxy-Authorization", "X-Goog-Api-Key", "Api-Key",
		"X-Api-Key", "Cookie"}
	parameters = []string{"key", "api_key", "apikey", "access_token", "oauth_token", "bearer_token",
		"token"}
)

// OfRequest returns the credentials of a request. IsChecked reports that they are compared with
// keys. Otherwise clients may send words such as "ollama", which are not secret, and only what
// looks like a secret is returned.
func OfRequest(r *http.Request, isChecked bool) []string {
	var out []string
	add := func(value string) {
		if _, credential, hasScheme := strings.Cut(value, " "); hasScheme {
			value = strings.TrimSpace(credential)
		}
		if isChecked || IsLikely(value) {
			out = append(out, value)
		}
	}
	for _, name := range headers {
		for _, value := range r.Header[name] {
			add(value)
		}
	}
	if mayHaveParameter(r.URL.RawQuery) {
		addFromQuery(r.URL, add)
	}
	return out
}

// mayHaveParameter reports whether a query may have one of the parameters. Decoding a query costs
// stack and garbage. Most queries, such as alt=sse, obviously contain no credential.
func mayHaveParameter(query string) bool {
	for i := range len(query) {
		switch c := query[i] | ' '; {
		case query[i] == '%', query[i] >= utf8.RuneSelf:
			return true // a name may be escaped
		case c == 'k' && strings.EqualFold(query[i:min(i+len("key"), len(query))], "key"),
			c == 't' && strings.EqualFold(query[i:min(i+len("token"), len(query))], "token"):
			return true
		}
	}
	return false
}

// addFromQuery adds the credentials in a query string.
func addFromQuery(address *url.URL, add func(value string)) {
	for name, values := range address.Query() {
		if isParameter(name) {
			for _, value := range values {
				add(value)
			}
		}
	}
}

func isParameter(name string) bool {
	return slices.Contains(parameters, strings.ToLower(strings.TrimPrefix(name, "$")))
}

// IsLikely reports whether a text is long and mixed enough to be a secret.
func IsLikely(text string) bool {
	const shortest = 16
	return len(text) >= shortest && strings.ContainsAny(text, "0123456789")
}

// WithoutKey returns the path and query of a URL without credentials.
func WithoutKey(address *url.URL) string {
	query := address.Query()
	hasKey := false
	for name := range query {
		if isParameter(name) {
			query.Del(name)
			hasKey = true
		}
	}
	if !hasKey {
		return address.RequestURI()
	}
	own := *address
	own.RawQuery = query.Encode()
	return own.RequestURI()
}

// WithoutCredentials returns a copy of a header without credential headers.
func WithoutCredentials(header http.Header) http.Header {
	out := header.Clone()
	for _, name := range headers {
		out.Del(name)
	}
	return out
}
