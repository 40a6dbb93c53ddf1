// Package callid makes and reads the ids of tool calls that Gemini sent none for, and those that
// carry the thought signature of their call.
package callid

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Made begins the ids that are made, which is how the way back knows that Gemini sent none.
const Made = "gemini-call-"

// The ids of tool calls come back from every client, even from those that drop all members they do
// not know. So an id can carry the thought signature of its call:
//
//	ID __gw1_ LENGTH _ CHECKSUM _ SIGNATURE
//
// without the spaces: the length of the signature in decimal digits, eight hexadecimal digits of
// the CRC-32 of id and signature, and the signature's bytes in base64 of the URL's alphabet,
// unpadded. The length and the checksum tell when a client has shortened or changed it: Gemini
// refuses a signature with a single wrong letter, while it takes a call without any by a known
// word.

// SignatureMark stands between an id and the signature that it carries.
const SignatureMark = "__gw1_"

// WithoutSignature returns an id without the signature that it carries.
func WithoutSignature(id string) string {
	bare, _, _ := strings.Cut(id, SignatureMark)
	return bare
}

// WithSignature returns an id that carries a signature. One that holds the mark itself stays as it
// is.
func WithSignature(id, signature string) string {
	if strings.Contains(id, SignatureMark) {
		return id
	}
	return id + SignatureMark + strconv.Itoa(len(signature)) + "_" + checksum(id, signature) + "_" +
		base64.RawURLEncoding.EncodeToString([]byte(signature))
}

// Split takes an id with a signature apart. The signature is "" when there is none; intact is false
// when there was one that is no longer what it was.
func Split(carrier string) (id, signature string, intact bool) {
	id, load, found := strings.Cut(carrier, SignatureMark)
	if !found {
		return carrier, "", true
	}
	length, load, _ := strings.Cut(load, "_")
	sum, encoded, _ := strings.Cut(load, "_")
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || length != strconv.Itoa(len(decoded)) || sum != checksum(id, string(decoded)) {
		return id, "", false
	}
	return id, string(decoded), true
}

func checksum(id, signature string) string { return Checksum(id + signature) }

// Checksum returns the CRC-32 of a text in eight hexadecimal digits. It tells what a client has
// changed.
func Checksum(text string) string { return FormatCRC32(crc32.ChecksumIEEE([]byte(text))) }

// FormatCRC32 returns a CRC-32 as [Checksum] writes it.
func FormatCRC32(sum uint32) string { return fmt.Sprintf("%08x", sum) }
