package dialogue

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// locator finds the parts of Gemini's document in the client's document. Both have the same order,
// so it looks after the last part that it found first.
type locator struct {
	isSame, isPrepared bool
	hasChunks          bool // Gemini's document is a list of chunks
	spell              func(string) string
	table              [][2]string // of regions: Gemini's pointer, the client's pointer
	isList             bool        // the client's document is a list of chunks
	leaves             []leaf
	byText             map[string][]int
	next               int // the leaf after the last found one
}

// leaf is a string in a document.
type leaf struct {
	text string
	// pointer is the location of the string, and object the location of the object that has it, or
	// of the string if that is the whole document.
	object, pointer string
}

// newLocator returns a locator for one direction.
func newLocator(e *Exchange, from, to string, chunks []string, table [][2]string) *locator {
	l := &locator{isSame: e.IsSame, isPrepared: e.IsPrepared, spell: spelled(from), table: table,
		isList: len(chunks) > 0}
	if l.isSame {
		return l
	}
	if l.isList {
		to = listOf(chunks)
	}
	l.leaves = leavesOf(to)
	l.byText = make(map[string][]int, len(l.leaves))
	for i := range l.leaves {
		l.byText[l.leaves[i].text] = append(l.byText[l.leaves[i].text], i)
	}
	return l
}

// listOf returns chunks as a JSON list. A chunk that is not an object is null.
func listOf(chunks []string) string {
	texts := make([]string, len(chunks))
	for i, chunk := range chunks {
		if texts[i] = strings.TrimSpace(chunk); !jsontext.Value(texts[i]).IsValid() {
			texts[i] = "null"
		}
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// part returns a part with its locations.
func (l *locator) part(in *geminiapi.Part, pointer string) Part {
	p, leads := partOf(in)
	written := l.spell(pointer)
	if !l.isPrepared {
		p.Gemini = &written
	}
	if l.isSame {
		p.Client = &written
	} else {
		p.Client = l.find(pointer, leads)
	}
	return p
}

// shortestLead is the length of the shortest text that identifies a part by its beginning.
const shortestLead = 4

// find returns the location of the first of the texts in the client's document. Otherwise it
// returns nil.
func (l *locator) find(pointer string, leads []string) *string {
	if len(l.leaves) == 0 {
		return nil
	}
	regions := l.regions(pointer)
	for _, isExact := range []bool{true, false} {
		for _, lead := range leads {
			if at, ok := l.leafWith(lead, regions, isExact); ok {
				l.next = at + 1
				return &l.leaves[at].object
			}
		}
	}
	return nil
}

// leafWith returns the next leaf in a region that has a text, or one that shares its beginning.
func (l *locator) leafWith(lead string, regions []string, isExact bool) (int, bool) {
	if lead == "" {
		return 0, false
	}
	if isExact {
		return l.after(l.byText[lead], regions)
	}
	if len(lead) < shortestLead {
		return 0, false
	}
	shortest := shortestLead
	if l.isList { // of pieces
		shortest = 1
	}
	var found []int
	for i := range l.leaves {
		if text := l.leaves[i].text; len(text) >= shortest && isSimilar(text, lead) {
			found = append(found, i)
		}
	}
	return l.after(found, regions)
}

// isSimilar reports whether a text is a piece of another one. A data URL ends with its base64, an
// id may carry a signature, and a stream is cut into other pieces.
func isSimilar(text, lead string) bool {
	const shortestEnd = 32
	return strings.HasPrefix(text, lead) || strings.HasPrefix(lead, text) ||
		len(lead) >= shortestEnd && strings.HasSuffix(text, lead) ||
		strings.HasPrefix(lead, mediaTag) && strings.Contains(text, lead)
}

// after returns the first of the leaves in a region after the last found one, or the first of all.
func (l *locator) after(found []int, regions []string) (int, bool) {
	first := -1
	for _, i := range found {
		if !l.isIn(&l.leaves[i], regions) {
			continue
		}
		if i >= l.next {
			return i, true
		}
		if first < 0 {
			first = i
		}
	}
	return first, first >= 0
}

// regions returns the parts of the client's document in which a value may be. It returns nil for
// the whole document.
func (l *locator) regions(pointer string) (out []string) {
	if l.hasChunks {
		_, pointer, _ = strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		pointer = "/" + pointer
	}
	for _, row := range l.table {
		if numbers, ok := match(row[0], pointer); ok {
			region := row[1]
			for _, number := range numbers {
				region = strings.Replace(region, "*", number, 1)
			}
			out = append(out, region)
		}
	}
	return out
}

func (l *locator) isIn(at *leaf, regions []string) bool {
	pointer := at.pointer
	if l.isList {
		_, pointer, _ = strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		pointer = "/" + pointer
	}
	for _, region := range regions {
		if rest, ok := strings.CutPrefix(pointer, region); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return len(regions) == 0
}

// match reports whether a pointer is at a pattern or below it, and returns the numbers for the
// stars of the pattern.
func match(pattern, pointer string) (numbers []string, ok bool) {
	names, tokens := strings.Split(pattern, "/"), strings.Split(pointer, "/")
	if len(tokens) < len(names) {
		return nil, false
	}
	for i, name := range names {
		if name == "*" {
			numbers = append(numbers, tokens[i])
		} else if name != tokens[i] {
			return nil, false
		}
	}
	return numbers, true
}

// reversed returns a table for the opposite direction.
func reversed(table [][2]string) [][2]string {
	out := make([][2]string, len(table))
	for i, row := range table {
		out[i] = [2]string{row[1], row[0]}
	}
	return out
}

// maxLeaves limits how much of a document is searched for locations.
const maxLeaves = 200_000

// leavesOf returns the strings of a document in their order. It returns those before an error.
func leavesOf(document string) (out []leaf) {
	decoder := newDecoder(document)
	for len(out) < maxLeaves {
		token, err := decoder.ReadToken()
		if err != nil {
			return out
		}
		if token.Kind() != jsontext.KindString || isName(decoder) {
			continue
		}
		pointer := string(decoder.StackPointer())
		object := pointer
		if kind, _ := decoder.StackIndex(decoder.StackDepth()); kind == jsontext.KindBeginObject {
			object = pointer[:strings.LastIndexByte(pointer, '/')]
		}
		if object == "" { // The whole document is not the location of a member such as input.
			object = pointer
		}
		out = append(out, leaf{text: token.String(), object: object, pointer: pointer})
	}
	return out
}

// newDecoder returns a decoder that accepts what clients and models send.
func newDecoder(document string) *jsontext.Decoder {
	return jsontext.NewDecoder(strings.NewReader(document), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
}

// isName reports whether the last token is the name of a member.
func isName(decoder *jsontext.Decoder) bool {
	kind, length := decoder.StackIndex(decoder.StackDepth())
	return kind == jsontext.KindBeginObject && length%2 == 1
}

// stringsOf returns the strings in a value, from the longest.
func stringsOf(value jsontext.Value) (out []string) {
	const most = 32
	longest := -1
	for _, l := range leavesOf(string(value)) {
		if len(out) == most {
			break
		}
		out = append(out, l.text)
		if longest < 0 || len(l.text) > len(out[longest]) {
			longest = len(out) - 1
		}
	}
	if longest > 0 {
		out[0], out[longest] = out[longest], out[0]
	}
	return out
}

// ValueAt returns the string at a location in a document, or "". A document of chunks is a list.
func ValueAt(document string, chunks []string, pointer string) string {
	if len(chunks) > 0 {
		number, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
		index, err := strconv.Atoi(number)
		if err != nil || index < 0 || index >= len(chunks) {
			return ""
		}
		document, pointer = chunks[index], "/"+rest
	}
	return stringAt(document, pointer)
}
