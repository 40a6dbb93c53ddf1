package structured

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// RepairKind is a slip of a model that [WithRepair] mends.
type RepairKind string

const (
	// RepairCutOff closes a value that the end of the text cuts off.
	RepairCutOff RepairKind = "cut off"
	// RepairTrailingComma leaves out a comma behind the last member or element.
	RepairTrailingComma RepairKind = "trailing comma"
	// RepairMissingComma adds a comma between members or elements. Two numbers or words are such
	// only on lines of their own.
	RepairMissingComma RepairKind = "missing comma"
	// RepairComment leaves out a comment: // and # to the end of the line, and /* */.
	RepairComment RepairKind = "comment"
	// RepairLiteral writes true, false and null for True, False and None of Python.
	RepairLiteral RepairKind = "Python literal"
	// RepairQuotes puts a string in double quotes that is in single or typographic ones.
	RepairQuotes RepairKind = "other quotes"
	// RepairBareName puts a name in quotes that is in none, as in JavaScript.
	RepairBareName RepairKind = "name without quotes"
	// RepairControlCharacter writes the escapes for the line breaks, tabs and other control
	// characters in a string.
	RepairControlCharacter RepairKind = "control character in a string"
	// RepairEscape leaves out the backslash before a single quote, which needs none.
	RepairEscape RepairKind = "escaped single quote"
	// RepairEncodedTwice takes the content of a string for the value, where that is an object or a
	// list.
	RepairEncodedTwice RepairKind = "encoded twice"
)

// Repair is how a value was mended in one place.
type Repair struct {
	// Position is where the repair begins in the text.
	validation.Position
	// Pointer is the JSON pointer (RFC 6901) of the value that was mended: of the string or word,
	// or of the object or list that a comma or comment stands in. Of a value that is cut off it is
	// the innermost one. Where thousands of repairs stand in values that are nested thousands of
	// levels deep, only the first 16 MiB of pointers are made; the others are "".
	Pointer string
	// Kind is the slip.
	Kind RepairKind
	// Dropped counts the bytes of the text behind the position that something else stands for, or
	// nothing.
	Dropped int
	// Added is what stands there instead.
	Added string
}

// Reason returns the kind, and for [RepairCutOff] with what the value was closed.
func (r Repair) Reason() string {
	if r.Kind == RepairCutOff {
		return "cut off; closed with " + r.Added
	}
	return string(r.Kind)
}

// String returns the repair as "trailing comma at line 3, column 5 (offset 57)".
func (r Repair) String() string { return fmt.Sprintf("%s at %s", r.Reason(), r.Position) }

// pointerBytes is how much memory the pointers of repairs take at most: each may be as long as the
// text.
const pointerBytes = 16 << 20

// repairsOf returns how a value was mended, in the order of the text.
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

// pointers finds the pointers of places in a JSON text. It reads the text once for any number of
// places that rise.
type pointers struct {
	json    string
	decoder *jsontext.Decoder
	end     int // of the token that was read last
}

func newPointers(json string) *pointers { return &pointers{json: json, decoder: lenientDecoder(json)} }

// at returns the pointer of the value that a place is in: of a string or word, or else of the
// object or list. A place where a value begins is in that value, or in front of it if between is
// set.
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

// around returns the pointer of the object or list that is open behind the last token.
func (p *pointers) around() jsontext.Pointer {
	pointer := p.decoder.StackPointer()
	if _, length := p.decoder.StackIndex(p.decoder.StackDepth()); length == 0 {
		return pointer
	}
	return pointer.Parent()
}

// encodedTwice returns the object or list that the string holds which a candidate is; nil when it
// holds none.
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
