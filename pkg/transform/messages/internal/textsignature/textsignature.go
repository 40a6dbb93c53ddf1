// Package textsignature reads and writes the thought signatures of a text in the Messages API. They
// are in an extension of the text's block. Clients do not know this member, so they neither show it
// nor count it as a block.
//
//	{"type":"text","text":"Hi.","extra_content":{"google":{"thought_signature":"EjQ...","checksum":"1ad514ba"}}}
//
// A block may hold the texts of several Gemini parts, which are one text for clients. Then the
// extension has the length of each in bytes. This also restores the empty part with which Gemini
// ends streams:
//
//	{"google":{"parts":[{"length":3},{"length":0,"thought_signature":"EjQ..."}],"checksum":"1ad514ba"}}
//
// A stream has the extension in the event that ends the block.
package textsignature

import (
	"fmt"
	"hash/crc32"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Member is the name of the extension.
const Member = "extra_content"

// Piece is the text of a Gemini part, or of several parts without a signature.
type Piece struct {
	// Length counts bytes.
	Length    int    `json:"length"`
	Signature string `json:"thought_signature,omitzero"`
}

// extension is the value of the member.
type extension struct {
	Google google `json:"google"`
}

type google struct {
	ThoughtSignature string  `json:"thought_signature,omitzero"`
	Parts            []Piece `json:"parts,omitempty"`
	// Checksum is the checksum of the signed text. A changed text keeps no signature.
	Checksum string `json:"checksum,omitzero"`
}

// Writer makes the extension of a block from the pieces of its text. The zero value is ready to
// use.
type Writer struct {
	signed   []Piece // up to the last one with a signature
	unsigned int     // bytes after these
	checksum uint32
}

// Add adds a piece of the text, with the signature of its part or "".
func (w *Writer) Add(text, signature string) {
	w.checksum = update(w.checksum, text)
	if signature == "" {
		w.unsigned += len(text)
		return
	}
	w.endUnsigned()
	w.signed = append(w.signed, Piece{len(text), signature})
}

func (w *Writer) endUnsigned() {
	if w.unsigned > 0 {
		w.signed = append(w.signed, Piece{Length: w.unsigned})
		w.unsigned = 0
	}
}

// Take returns an object with the extension as its only member, or nil if no piece is signed. It
// resets the writer.
func (w *Writer) Take() jsontext.Value {
	if w.signed == nil {
		*w = Writer{}
		return nil
	}
	w.endUnsigned()
	out := extension{google{Parts: w.signed, Checksum: format(w.checksum)}}
	if len(w.signed) == 1 {
		out.Google.ThoughtSignature, out.Google.Parts = w.signed[0].Signature, nil
	}
	*w = Writer{}
	data, err := json.Marshal(out, jsonx.Canonical)
	if err != nil {
		return nil // the signature is not UTF-8, and so not Gemini's
	}
	return jsonx.Object(Member, data)
}

// Of returns the signed pieces of a text from the unknown members of its block, or nil if there is
// no extension. ok is false if the extension cannot be read or signs a different text.
func Of(unknown jsontext.Value, text string) (pieces []Piece, ok bool) {
	value := jsonx.Member(unknown, Member)
	if value == nil {
		return nil, true
	}
	var in extension
	if json.Unmarshal(value, &in) != nil {
		return nil, false
	}
	if sum := in.Google.Checksum; sum != "" && sum != format(update(0, text)) {
		return nil, false
	}
	if in.Google.Parts == nil {
		return []Piece{{len(text), in.Google.ThoughtSignature}}, in.Google.ThoughtSignature != ""
	}
	return in.Google.Parts, fit(in.Google.Parts, text)
}

// fit reports whether the lengths of the pieces fit the text.
func fit(pieces []Piece, text string) bool {
	at := 0
	for _, p := range pieces {
		if p.Length < 0 || p.Length > len(text)-at {
			return false
		}
		if at += p.Length; at < len(text) && !utf8.RuneStart(text[at]) {
			return false
		}
	}
	return at == len(text)
}

// Without returns the unknown members of a block without the extension.
func Without(unknown jsontext.Value) jsontext.Value {
	if jsonx.Member(unknown, Member) == nil {
		return unknown
	}
	var out jsontext.Value
	for name, value := range jsonx.Members(unknown) {
		if name != Member {
			out = jsonx.MergeObjects(out, jsonx.Object(name, value))
		}
	}
	return out
}

// update adds a text to a checksum without copying the text.
func update(sum uint32, text string) uint32 {
	sum = ^sum
	for i := range len(text) {
		sum = crc32.IEEETable[byte(sum)^text[i]] ^ sum>>8
	}
	return ^sum
}

func format(sum uint32) string { return fmt.Sprintf("%08x", sum) }
