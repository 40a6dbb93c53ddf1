package envelope

import (
	"encoding/base64"
	"hash/crc32"
	"strconv"
	"strings"
)

// Prefix is the start of each token.
const Prefix = "gemwire1_"

// checksumLength is the length of four bytes in unpadded base64url.
const checksumLength = 6

// Kind is the kind of part that a signature signs.
type Kind byte

// These are the kinds of parts.
const (
	// None is the kind of an entry that signs nothing, for example for a thinking block that
	// clients keep only with a signature. It is the kind of the zero Entry.
	None Kind = iota
	// Call is a function call.
	Call
	// Text is a visible text, which may be empty.
	Text
	// Thought is a part with "thought": true.
	Thought
	// Other is any other part, for example executable code or an image.
	Other
)

// letters are the letters of the kinds.
const letters = "nctho"

// Entry holds a token's statements about one part of a model's turn.
type Entry struct {
	// Kind is the kind of the part.
	Kind Kind
	// Ordinal is the part's position in the model's turn, from 0 to 999,999,999. Any other value is
	// written as the nearest one.
	Ordinal int
	// Signature is the part's thought signature, or "" if the entry has only a copy or nothing.
	Signature string
	// Part is the JSON of the part if the form cannot express it, else "".
	Part string
}

// Append appends the entries as one token to dst. Without entries the token is empty but valid.
func Append(dst []byte, entries ...Entry) []byte {
	dst = append(dst, Prefix...)
	checksum := len(dst)
	dst = append(dst, "------_"...)
	body := len(dst)
	for i := range entries {
		dst = appendEntry(dst, &entries[i])
	}
	putChecksum(dst[checksum:checksum+checksumLength], crc32.ChecksumIEEE(dst[body:]))
	return dst
}

// IsToken reports whether a text starts like a token, so that it is not another provider's. [Parse]
// checks whether it is intact.
func IsToken(text string) bool { return strings.HasPrefix(text, Prefix) }

// Parse returns the entries of a token. ok is false if the text is not a token, or if the token was
// shortened or changed.
func Parse(text string) (entries []Entry, ok bool) {
	rest, ok := strings.CutPrefix(text, Prefix)
	if !ok || len(rest) <= checksumLength || rest[checksumLength] != '_' {
		return nil, false
	}
	checksum, body := rest[:checksumLength], rest[checksumLength+1:]
	var want [checksumLength]byte
	putChecksum(want[:], checksumOf(body))
	if checksum != string(want[:]) {
		return nil, false
	}
	for body != "" {
		var e Entry
		if e, body, ok = cutEntry(body); !ok {
			return nil, false
		}
		entries = append(entries, e)
	}
	return entries, true
}

// checksumOf returns the checksum of a body without copying the body.
func checksumOf(body string) (sum uint32) {
	var piece [256]byte
	for len(body) > 0 {
		n := copy(piece[:], body)
		sum = crc32.Update(sum, crc32.IEEETable, piece[:n])
		body = body[n:]
	}
	return sum
}

// putChecksum writes a checksum.
func putChecksum(dst []byte, sum uint32) {
	base64.RawURLEncoding.Encode(dst,
		[]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

func appendEntry(dst []byte, e *Entry) []byte {
	kind := e.Kind
	if int(kind) >= len(letters) {
		kind = Other
	}
	dst = append(dst, letters[kind])
	dst = strconv.AppendInt(dst, int64(min(max(e.Ordinal, 0), largestNumber)), 10)
	dst = appendSignature(dst, e.Signature)
	if e.Part == "" {
		return dst
	}
	dst = append(dst, 'p')
	dst = appendLength(dst, base64.RawURLEncoding.EncodedLen(len(e.Part)))
	return base64.RawURLEncoding.AppendEncode(dst, []byte(e.Part))
}

// cutEntry splits the first entry from a body. It accepts only what appendEntry writes.
func cutEntry(body string) (e Entry, rest string, ok bool) {
	kind := strings.IndexByte(letters, body[0])
	if kind < 0 {
		return e, "", false
	}
	e.Kind = Kind(kind)
	if e.Ordinal, rest, ok = cutNumber(body[1:]); !ok || rest == "" {
		return e, "", false
	}
	if e.Signature, rest, ok = cutSignature(rest); !ok {
		return e, "", false
	}
	if !strings.HasPrefix(rest, "p") {
		return e, rest, true
	}
	encoded, rest, ok := cutData(rest[1:])
	if !ok || encoded == "" {
		return e, "", false
	}
	e.Part, ok = fromBase64URL(encoded)
	return e, rest, ok
}

func appendLength(dst []byte, n int) []byte {
	return append(strconv.AppendInt(dst, int64(n), 10), '_')
}

// cutData splits data from a text that starts with the length of the data.
func cutData(text string) (data, rest string, ok bool) {
	n, rest, ok := cutNumber(text)
	if !ok || !strings.HasPrefix(rest, "_") || n > len(rest)-1 {
		return "", "", false
	}
	return rest[1 : 1+n], rest[1+n:], true
}

// largestNumber is the largest number with longestNumber digits. It is larger than any length or
// ordinal, and fits an int on every machine.
const (
	longestNumber = 9
	largestNumber = 999_999_999
)

// cutNumber splits a number without leading zeros from the start of a text.
func cutNumber(text string) (n int, rest string, ok bool) {
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > longestNumber || digits > 1 && text[0] == '0' {
		return 0, "", false
	}
	n, err := strconv.Atoi(text[:digits])
	return n, text[digits:], err == nil
}

// fromBase64URL decodes base64url. It accepts only canonical encodings.
func fromBase64URL(encoded string) (string, bool) {
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	return string(decoded), err == nil && !strings.ContainsAny(encoded, "\r\n")
}
