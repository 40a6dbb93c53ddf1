package recording

import (
	"net/http"
	"net/url"
)

// WithoutKey returns path and query of an address. A key may stand in the query, as in Google's own addresses.
func WithoutKey(address *url.URL) string {
	query := address.Query()
	if !query.Has("key") && !query.Has("access_token") {
		return address.RequestURI()
	}
	query.Del("key")
	query.Del("access_token")
	own := *address
	own.RawQuery = query.Encode()
	return own.RequestURI()
}

// secretHeaders are those of a client's request that nobody is shown.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "X-Goog-Api-Key", "Api-Key", "X-Api-Key", "Cookie"}

// WithoutSecrets returns a copy of a header without credentials.
func WithoutSecrets(header http.Header) http.Header {
	out := header.Clone()
	for _, name := range secretHeaders {
		out.Del(name)
	}
	return out
}
