package openai

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/normalize"
)

// The ids of tool calls come back from every client, even from those that drop all members they do not
// know. So an id can carry the thought signature of its call:
//
//	ID __gw1_ LENGTH _ CHECKSUM _ SIGNATURE
//
// without the spaces: the length of the signature in decimal digits, eight hexadecimal digits of the
// CRC-32 of id and signature, and the signature's bytes in base64 of the URL's alphabet, unpadded. The
// length and the checksum tell when a client has shortened or changed it: Gemini refuses a signature
// with a single wrong letter, while it takes a call without any by a known word.
const carrierMark = "__gw1_"

// StripSignature returns the id of a tool call without the thought signature that [WithSignaturesInIDs]
// put into it. Other ids stay as they are. It is meant for sending a conversation to another provider:
// many take only short ids.
func StripSignature(id string) string {
	bare, _, _ := strings.Cut(id, carrierMark)
	return bare
}

// carries reports whether the id of a call carries its signature.
func (o *options) carries(b *normalize.Block) bool {
	return o.signedIDs && !strings.Contains(b.ToolCall.ID, carrierMark)
}

// carrySignature returns an id that carries a signature. One that holds the mark itself stays as it is.
func carrySignature(id, signature string) string {
	if strings.Contains(id, carrierMark) {
		return id
	}
	return id + carrierMark + strconv.Itoa(len(signature)) + "_" + carrierSum(id, signature) + "_" +
		base64.RawURLEncoding.EncodeToString([]byte(signature))
}

// readCarrier takes an id apart. The signature is "" when there is none; intact is false when there was
// one that is no longer what it was.
func readCarrier(carrier string) (id, signature string, intact bool) {
	id, load, found := strings.Cut(carrier, carrierMark)
	if !found {
		return carrier, "", true
	}
	length, load, _ := strings.Cut(load, "_")
	sum, encoded, _ := strings.Cut(load, "_")
	decoded, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || length != strconv.Itoa(len(decoded)) || sum != carrierSum(id, string(decoded)) {
		return id, "", false
	}
	return id, string(decoded), true
}

func carrierSum(id, signature string) string {
	sum := crc32.ChecksumIEEE([]byte(id))
	return fmt.Sprintf("%08x", crc32.Update(sum, crc32.IEEETable, []byte(signature)))
}
