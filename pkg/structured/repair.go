package structured

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// RepairKind is a slip of a model that [WithRepair] repairs.
type RepairKind string

const (
	// RepairCutOff closes a value that the end of the text cuts off.
	RepairCutOff RepairKind = "cut off"
	// RepairTrailingComma removes a comma after the last member or element.
	RepairTrailingComma RepairKind = "trailing comma"
	// RepairMissingComma adds a comma between members or elements. Numbers and words count as
	// separate elements only on lines of their own.
	RepairMissingComma RepairKind = "missing comma"
	// RepairComment removes a comment: // and # to the end of the line, and /* */.
	RepairComment RepairKind = "comment"
	// RepairLiteral writes true, false and null for Python's True, False and None.
	RepairLiteral RepairKind = "Python literal"
	// RepairQuotes replaces single or typographic quotes of a string by double quotes.
	RepairQuotes RepairKind = "other quotes"
	// RepairBareName adds quotes to an unquoted name, as JavaScript allows.
	RepairBareName RepairKind = "name without quotes"
	// RepairControlCharacter writes the escapes for the line breaks, tabs and other control
	// characters in a string.
	RepairControlCharacter RepairKind = "control character in a string"
	// RepairEscape removes the backslash before a single quote, which needs none.
	RepairEscape RepairKind = "escaped single quote"
	// RepairEncodedTwice takes the content of a string as the value, if the content is an object or
	// a list.
	RepairEncodedTwice RepairKind = "encoded twice"
)

// Repair describes one repair of a value.
type Repair struct {
	// Position is the start of the repair in the text.
	validation.Position
	// Pointer is the JSON pointer (RFC 6901) of the repaired value: the string or word, or the
	// object or list that contains the comma or comment. For a value that is cut off, it is the
	// innermost one. Many repairs in deeply nested values would need huge pointers, so only the
	// first 16 MiB of pointers are made; the others are "".
	Pointer string
	// Kind is the slip.
	Kind RepairKind
	// Dropped is the number of bytes after the position that were replaced or removed.
	Dropped int
	// Added is the replacement.
	Added string
}

// Reason returns the kind. For [RepairCutOff] it adds the text that closed the value.
func (r Repair) Reason() string {
	if r.Kind == RepairCutOff {
		return "cut off; closed with " + r.Added
	}
	return string(r.Kind)
}

// String returns the repair as "trailing comma at line 3, column 5 (offset 57)".
func (r Repair) String() string { return fmt.Sprintf("%s at %s", r.Reason(), r.Position) }

// pointerBytes limits the memory of the pointers of repairs, because each may be as long as the
// text.
const pointerBytes = 16 << 20

// repairsOf returns the repairs of a value, in the order of the text.
func (s *search) repairsOf(m *mended) []Repair {
	pointers := newPointers(m.json)
	ruler := newRuler(s.text)
	var repairs []Repair
	remaining := pointerBytes
	for _, e := range m.edits {
		if e.kind == "" {
			continue
		}
		r := Repair{Position: ruler.at(e.start), Kind: e.kind, Dropped: e.end - e.start,
			Added: e.added}
		switch {
		case e.kind == RepairCutOff:
			r.Pointer = cutPointer(m.json[:e.out] + s.text[e.start:e.end])
		case remaining > 0:
			r.Pointer = pointers.at(e.out, e.added == "")
			remaining -= len(r.Pointer)
		}
		repairs = append(repairs, r)
	}
	return repairs
}

// pointers finds the pointers of offsets in a JSON text. It reads the text once for rising offsets.
type pointers struct {
	json    string
	decoder *jsontext.Decoder
	end     int // of the token that was read last
}

func newPointers(json string) *pointers { return &pointers{json: json, decoder: lenientDecoder(json)} }

// at returns the pointer of the value that contains an offset: a string or word, else the object or
// list. The start of a value belongs to the value, or to the space before it if between is set.
func (p *pointers) at(place int, between bool) string {
	for p.end <= place {
		if next := valueStart(p.json, int64(p.end)); next > place || between && next == place {
			return string(p.around())
		}
		if _, err := p.decoder.ReadToken(); err != nil {
			break // the end
		}
		p.end = int(p.decoder.InputOffset())
	}
	return string(p.decoder.StackPointer())
}

// around returns the pointer of the object or list that is open after the last token.
func (p *pointers) around() jsontext.Pointer {
	pointer := p.decoder.StackPointer()
	if _, length := p.decoder.StackIndex(p.decoder.StackDepth()); length == 0 {
		return pointer
	}
	return pointer.Parent()
}

// encodedTwice returns the object or list in the string of a candidate, nil if the string has none.
func (s *search) encodedTwice(c candidate) *mended {
	text := s.text[c.start:c.end]
	if c.kind(s.text) != jsontext.KindString {
		return nil
	}
	content, err := jsontext.AppendUnquote(nil, text)
	value := strings.Trim(string(content), whiteSpace)
	if err != nil || value == "" || !isBracket(value[0]) || !jsontext.Value(value).IsValid() {
		return nil
	}
	whole := edit{span: c.span, added: value, kind: RepairEncodedTwice}
	return &mended{end: c.end, json: value, edits: []edit{whole}}
}
