package received

import (
	"net/http"
	"slices"
	"strings"
)

// Key is a key that printing does not show, because the value is stored through a pointer.
type Key struct{ value *string }

// KeyOf returns a key.
func KeyOf(key string) Key { return Key{&key} }

// Reveal returns the key itself.
func (k Key) Reveal() string { return *k.value }

// Credential is the credential of a request.
type Credential struct {
	// HasKey and HasToken report a key, and a token of an Authorization header.
	HasKey, HasToken bool

	key Key
}

// CredentialOf returns the credential of a request. Its key is in x-goog-api-key, or in the query.
func CredentialOf(r *http.Request) Credential {
	key := r.Header.Get("X-Goog-Api-Key")
	if key == "" {
		key = r.URL.Query().Get("key")
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return Credential{HasKey: key != "", HasToken: token != "", key: KeyOf(key)}
}

// IsOneOf reports whether the key is one of those given.
func (c Credential) IsOneOf(keys []Key) bool {
	return slices.ContainsFunc(keys, func(k Key) bool { return k.Reveal() == c.key.Reveal() })
}
