package answer

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// seed is the source of everything that looks random in an answer: a digest of the question.
type seed [sha256.Size]byte

// seedOf digests a question. The spelling of a request, and whether the answer is stored, do not
// change the digest.
func seedOf(q Question) seed {
	request := *q.Request
	request.Store = nil
	body, err := gemini.EncodeRequest(&request)
	if err != nil {
		body = nil // Decoded requests can be encoded.
	}
	return sha256.Sum256(append([]byte(q.Model+"\n"), body...))
}

// of returns a seed for one purpose.
func (s seed) of(purpose string) seed {
	return sha256.Sum256(append(s[:], purpose...))
}

// responseID returns an id like the servers': 23 characters for 17 bytes.
func (s seed) responseID() string {
	return base64.RawURLEncoding.EncodeToString(s[:17])
}

// callID returns an id like in function calls since Gemini 3: 8 letters and digits.
func (s seed) callID(purpose string) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
	digest := s.of(purpose)
	id := make([]byte, 8)
	for i := range id {
		id[i] = alphabet[int(digest[i])%len(alphabet)]
	}
	return string(id)
}

// time returns a time in the year 2026, to the microsecond, for createTime.
func (s seed) time() string {
	microseconds := binary.BigEndian.Uint64(s[:]) % uint64(365*24*time.Hour/time.Microsecond)
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return begin.Add(time.Duration(microseconds) * time.Microsecond).Format(
		"2006-01-02T15:04:05.000000Z")
}

// number returns a number from 0 to below for one purpose.
func (s seed) number(purpose string, below int) int {
	digest := s.of(purpose)
	return int(binary.BigEndian.Uint32(digest[:]) % uint32(below))
}
