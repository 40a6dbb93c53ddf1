// Package callid makes and reads the ids of tool calls. It covers ids for calls that Gemini sent
// without one, and ids that carry the thought signature of their call.
package callid

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// Made is the prefix of generated ids. The conversion of requests recognizes them by it.
const Made = "gemini-call-"

// Every client sends the ids of tool calls back, even a client that drops all unknown members. So
// an id can carry the thought signature of its call:
//
//	ID __gw1_ LENGTH _ CHECKSUM _ SIGNATURE
//
// without the spaces. LENGTH is the length of the signature in decimal digits. CHECKSUM is the
// CRC-32 of id and signature in eight hexadecimal digits. SIGNATURE is unpadded base64 of the URL
// alphabet. Length and checksum reveal whether a client has shortened or changed the signature.
// Gemini refuses a signature with a single wrong letter, but accepts a documented word in place of
// a signature.

// SignatureMark separates an id from the signature that it carries.
const SignatureMark = "__gw1_"

// WithoutSignature returns an id without the signature that it carries.
func WithoutSignature(id string) string {
	bare, _, _ := strings.Cut(id, SignatureMark)
	return bare
}

// WithSignature returns an id that carries a signature. An id that contains the mark itself stays
// unchanged.
func WithSignature(id, signature string) string {
	if strings.Contains(id, SignatureMark) {
		return id
	}
	return id + SignatureMark + strconv.Itoa(len(signature)) + "_" + checksum(id, signature) + "_" +
		base64.RawURLEncoding.EncodeToString([]byte(signature))
}

// Split separates an id from its signature. The signature is "" if the id has no signature. intact
// is false if the id had a signature that was changed.
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

// Checksum returns the CRC-32 of a text in eight hexadecimal digits. It reveals changes by a
// client.
func Checksum(text string) string { return FormatCRC32(crc32.ChecksumIEEE([]byte(text))) }

// FormatCRC32 returns a CRC-32 as [Checksum] writes it.
func FormatCRC32(sum uint32) string { return fmt.Sprintf("%08x", sum) }
