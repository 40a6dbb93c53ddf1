// Package headervalue makes texts from clients and upstreams safe for response headers.
package headervalue

import (
	"net/http"
	"strings"
)

// MaxSize is the maximum length of a value in bytes. MaxValues is the maximum number of values that
// [Copy] copies for a header.
const (
	MaxSize   = 4 << 10
	MaxValues = 16
)

// Set sets a header to a text. Control characters become spaces, and a text longer than [MaxSize]
// is cut.
func Set(header http.Header, name, text string) { header.Set(name, Of(text)) }

// Of returns a text as a header value.
func Of(text string) string {
	safe := []byte(text[:min(len(text), MaxSize)])
	for i, c := range safe {
		if isControl(c) {
			safe[i] = ' '
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(safe), ""))
}

// Copy copies the safe values of a header. It leaves out all others: a changed or cut value, such
// as a URL, could mean something else.
func Copy(to, from http.Header, name string) {
	var safe []string
	for _, value := range from[name] {
		if len(safe) < MaxValues && len(value) <= MaxSize && isSafe(value) {
			safe = append(safe, value)
		}
	}
	if safe != nil {
		to[name] = safe
	}
}

func isSafe(value string) bool {
	for i := range len(value) {
		if isControl(value[i]) {
			return false
		}
	}
	return true
}

func isControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }
