package compaction

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
)

const (
	// family begins the sealed contents of all versions.
	family = "gemwire-compaction-"
	// prefix begins the sealed contents of this version. It is authenticated too.
	prefix = family + "1."
	// label separates the keys of this package from other keys that the same secret gives.
	label = "gemwire compaction 1"
)

// encoding is strict, so that no other text opens to the same content.
var encoding = base64.RawURLEncoding.Strict()

// Sealer seals and opens contents. It is safe for concurrent use.
type Sealer struct {
	// keys open contents. The first one seals.
	keys []cipher.AEAD
}

// NewSealer returns a sealer whose key is derived from a secret. Replicas with the same secret open
// each other's contents.
func NewSealer(secret []byte) (*Sealer, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, label, 32)
	if err != nil {
		return nil, fmt.Errorf("compaction: derive the key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("compaction: make the cipher: %w", err)
	}
	sealed, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("compaction: make the cipher: %w", err)
	}
	return &Sealer{keys: []cipher.AEAD{sealed}}, nil
}

// RandomSecret returns a secret that no other process has.
func RandomSecret() []byte {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return secret
}

// WithOthers returns a sealer that also opens what other has sealed.
func (s *Sealer) WithOthers(other *Sealer) *Sealer {
	if other == nil {
		return s
	}
	// the latest two, because a gateway may reload its settings for ever
	return &Sealer{keys: []cipher.AEAD{s.keys[0], other.keys[0]}}
}

// OpenError is the reason why a content cannot be opened. Its text is for the client.
type OpenError struct{ reason string }

// Error implements error.
func (e *OpenError) Error() string { return e.reason }

// The reasons why a content cannot be opened.
var (
	// ErrForeign is returned for contents of another server.
	ErrForeign = &OpenError{"was made by another server, and only that server can read it; " +
		"send the items themselves"}
	// ErrVersion is returned for contents of another version of the gateway.
	ErrVersion = &OpenError{"was made by another version of the gateway; " +
		"shorten the conversation again"}
	// ErrSeal is returned for contents that were changed or belong to another client. The seal does
	// not say which of them.
	ErrSeal = &OpenError{"does not open: it was changed, belongs to another client key, or was " +
		"sealed with a key that this gateway no longer has; send the items themselves"}
)

// Seal returns the content as text that only the owner can use.
func (s *Sealer) Seal(owner responsestore.Owner, c *Content) (string, error) {
	plain, err := json.Marshal(c, jsonx.Canonical)
	if err != nil {
		return "", fmt.Errorf("compaction: encode: %w", err)
	}
	sealed := s.keys[0].Seal(nil, nil, plain, boundTo(owner))
	return prefix + encoding.EncodeToString(sealed), nil
}

// Open returns the content of a text that [Sealer.Seal] returned for the owner. The error is an
// *[OpenError].
func (s *Sealer) Open(owner responsestore.Owner, text string) (*Content, error) {
	body, isOurs := strings.CutPrefix(text, prefix)
	switch {
	case isOurs:
	case strings.HasPrefix(text, family):
		return nil, ErrVersion
	default:
		return nil, ErrForeign
	}
	sealed, err := encoding.DecodeString(body)
	if err != nil || strings.ContainsAny(body, "\r\n") { // which the decoder ignores
		return nil, ErrSeal
	}
	for _, key := range s.keys {
		plain, err := key.Open(nil, nil, sealed, boundTo(owner))
		if err != nil {
			continue
		}
		c := &Content{}
		if err := json.Unmarshal(plain, c); err != nil {
			return nil, ErrVersion // the seal is ours, so the content was right when it was made
		}
		return c, nil
	}
	return nil, ErrSeal
}

// boundTo returns what a seal is bound to.
func boundTo(owner responsestore.Owner) []byte { return append([]byte(prefix), owner[:]...) }
