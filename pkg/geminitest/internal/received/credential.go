package received

import (
	"net/http"
	"strings"
)

// Credential is what a request identifies its sender by. It prints without the secret.
type Credential struct {
	key, token string
}

// CredentialOf returns the credential of a request: the key in x-goog-api-key or in the query, and the token of an
// Authorization header.
func CredentialOf(r *http.Request) Credential {
	key := r.Header.Get("X-Goog-Api-Key")
	if key == "" {
		key = r.URL.Query().Get("key")
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return Credential{key: key, token: token}
}

// HasKey reports whether there is a key.
func (c Credential) HasKey() bool { return c.key != "" }

// HasToken reports whether there is a token.
func (c Credential) HasToken() bool { return c.token != "" }

// Is reports whether the key is the one given.
func (c Credential) Is(key string) bool { return c.key == key }

// String returns no secret.
func (c Credential) String() string { return Redacted }

// GoString returns no secret.
func (c Credential) GoString() string { return Redacted }
