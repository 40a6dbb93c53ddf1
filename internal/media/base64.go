// Package media joins, cuts and measures base64 data of media, and compares media types.
package media

import (
	"encoding/base64"
	"slices"
	"strings"
)

// JoinBase64 returns the base64 of the joined bytes of several pieces. It decodes pieces only if
// one has padding before the end.
func JoinBase64(pieces []string) string {
	if padded := slices.IndexFunc(pieces, isPadded); padded < 0 || padded == len(pieces)-1 {
		return strings.Join(pieces, "")
	}
	size := 0
	for _, piece := range pieces {
		size += len(piece)
	}
	var out strings.Builder
	out.Grow(size)
	encoder := base64.NewEncoder(base64.StdEncoding, &out)
	for _, piece := range pieces {
		raw, _ := base64.StdEncoding.DecodeString(piece) // which several pieces are known to be
		_, _ = encoder.Write(raw)                        // a builder does not fail
	}
	_ = encoder.Close()
	return out.String()
}

func isPadded(data string) bool { return strings.HasSuffix(data, "=") }

// Base64Length returns the number of bytes that data encodes. ok is false if another text is the
// proper encoding of these bytes, so that each value has only one valid spelling.
func Base64Length(data string) (length int, ok bool) {
	digits := strings.TrimRight(data, "=")
	padding := len(data) - len(digits)
	if digits == "" || len(data)%4 != 0 || padding > 2 ||
		strings.IndexByte(lastDigits[padding], digits[len(digits)-1]) < 0 {
		return 0, false
	}
	for i := range len(digits) {
		if !isBase64Digit[digits[i]] {
			return 0, false
		}
	}
	return len(data)/4*3 - padding, true
}

// CutBase64 returns the base64 of a part of the bytes in data. data must be standard base64.
// CutBase64 decodes only these bytes, and only if they do not begin and end between two digits.
func CutBase64(data string, from, to int) string {
	digits := data[from/3*4 : (to+2)/3*4]
	if from%3 == 0 && to%3 == 0 {
		return digits
	}
	raw, _ := base64.StdEncoding.DecodeString(digits)
	return base64.StdEncoding.EncodeToString(raw[from%3:][:to-from])
}

// Base64Cutter cuts pieces of base64 again, so that the returned texts can be joined to the base64
// of all bytes. Every text except the last encodes a multiple of three bytes. The pieces must be
// standard base64. The zero value is ready for use.
type Base64Cutter struct {
	pending [2]byte // the bytes after the last such multiple
	count   int
}

// Next returns the text for the next piece. It returns "" if all of the piece is pending.
func (c *Base64Cutter) Next(piece string) string {
	if c.count == 0 { // most pieces need no decoding
		whole := len(strings.TrimRight(piece, "=")) / 4 * 4
		rest, _ := base64.StdEncoding.DecodeString(piece[whole:])
		c.count = copy(c.pending[:], rest)
		return piece[:whole]
	}
	raw, _ := base64.StdEncoding.DecodeString(piece)
	raw = slices.Insert(raw, 0, c.pending[:c.count]...)
	whole := len(raw) / 3 * 3
	c.count = copy(c.pending[:], raw[whole:])
	return base64.StdEncoding.EncodeToString(raw[:whole])
}

// Rest returns the text for the pending bytes. It ends the media.
func (c *Base64Cutter) Rest() string {
	rest := base64.StdEncoding.EncodeToString(c.pending[:c.count])
	c.count = 0
	return rest
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// lastDigits are the possible last digits before none, one and two padding characters. The bits of
// these digits that belong to no byte are 0.
var lastDigits = [...]string{base64Digits, "AEIMQUYcgkosw048", "AQgw"}

// isBase64Digit is never modified.
var isBase64Digit = func() (out [256]bool) {
	for i := range len(base64Digits) {
		out[base64Digits[i]] = true
	}
	return out
}()

// HasType reports whether a MIME type begins with a prefix such as "audio/", in any letter case,
// and something follows it.
func HasType(mimeType, prefix string) bool {
	return len(mimeType) > len(prefix) && strings.EqualFold(mimeType[:len(prefix)], prefix)
}
