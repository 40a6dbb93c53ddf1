package inspector

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// places finds the locations that reports name in the documents of an exchange. A value with only
// its forms set is ready to use.
type places struct {
	forms transform.Forms
	sides map[exchange.Side]*sides
}

// sides are the two documents of one conversion.
type sides struct {
	table    [][2]string // of members that stand for one another
	from, to *node
	spelling *report.Spelling
	isList   bool // of chunks, in place of one document
}

// of returns the location of a finding in the original document, and the nearest location in the
// converted document, or nil.
func (p *places) of(r *record, f finding) (here, there *string) {
	s := p.documents(r, f.side)
	if s.from == nil {
		return nil, nil
	}
	written := s.spelling.Pointer(f.entry.Pointer)
	if s.from.at(written) != nil {
		here = &written
	}
	if s.to == nil {
		return here, nil
	}
	if pointer, ok := s.counterpart(written); ok {
		there = &pointer
	}
	return here, there
}

// documents returns the documents of a conversion. They are parsed once.
func (p *places) documents(r *record, side exchange.Side) *sides {
	if s := p.sides[side]; s != nil {
		return s
	}
	answer := r.answer().gemini()
	from, to := document(r.client.request, nil), document(answer.request, nil)
	counterparts := p.counterparts(r)
	s := &sides{table: counterparts.Request}
	if side == exchange.Upstream {
		s.table = counterparts.Response
		from, to = document(answer.response, answer.chunks),
			document(r.client.response, r.client.chunks)
		s.isList = len(answer.chunks) > 0
	}
	if r.isNative() { // and the server has another API
		s.table = reversed(s.table)
	}
	s.from, s.to, s.spelling = parse(from), parse(to), report.SpellingOf([]byte(from))
	if p.sides == nil {
		p.sides = map[exchange.Side]*sides{}
	}
	p.sides[side] = s
	return s
}

// counterparts returns which member in Gemini's API a form's member corresponds to. For an unknown
// operation it returns the members of all forms. Values below a member are found by equal texts on
// both sides.
func (p *places) counterparts(r *record) (out transform.Counterparts) {
	if f := p.forms.Named(r.start.Form); f != nil {
		return f.Counterparts
	}
	for _, f := range p.forms {
		out.Request = append(out.Request, f.Counterparts.Request...)
		out.Response = append(out.Response, f.Counterparts.Response...)
	}
	return out
}

// counterpart returns the pointer of a value's counterpart on the other side. In a stream it is in
// the first chunk with one of its texts. Otherwise it is in the last chunk with such a member,
// because finish reasons and sources come late.
func (s *sides) counterpart(pointer string) (string, bool) {
	if !s.isList {
		there, _, ok := counterpart(s.table, s.from, s.to, pointer)
		return there, ok
	}
	index, rest, found := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if found {
		rest = "/" + rest
	}
	last := ""
	for _, chunk := range s.to.children {
		there, byText, ok := counterpart(s.table, s.from.child(index), chunk.value, rest)
		if ok {
			last = "/" + chunk.name + there
		}
		if byText {
			break
		}
	}
	return last, last != ""
}

// reversed returns a table for the opposite direction.
func reversed(table [][2]string) [][2]string {
	out := make([][2]string, len(table))
	for i, row := range table {
		out[i] = [2]string{row[1], row[0]}
	}
	return out
}

// counterpart returns the smallest value that shares a text with the value at a pointer or around
// it. Otherwise it returns the member in the table.
func counterpart(table [][2]string, from, to *node, pointer string) (there string, byText,
	ok bool) {
	deepest := -1
	for _, row := range table {
		numbers, depth, matches := match(row[0], pointer)
		base := fill(row[1], numbers)
		region := to.at(base)
		if !matches || region == nil || depth < deepest {
			continue
		}
		if inside, ok := region.withTextOf(from, pointer, depth); ok {
			return base + inside, true, true
		}
		if depth > deepest {
			there, deepest = base, depth
		}
	}
	return there, false, deepest >= 0
}

// match reports whether a pointer matches a pattern or is below it. It also returns the numbers for
// the pattern's stars, and the length of the pattern.
func match(pattern, pointer string) (numbers []string, depth int, ok bool) {
	names, tokens := strings.Split(pattern, "/")[1:], strings.Split(pointer, "/")[1:]
	if len(tokens) < len(names) {
		return nil, 0, false
	}
	for i, name := range names {
		_, err := strconv.Atoi(tokens[i])
		switch {
		case name == "*" && err == nil:
			numbers = append(numbers, tokens[i])
		case name != tokens[i]:
			return nil, 0, false
		}
	}
	return numbers, len(names), true
}

// fill returns a pattern with numbers in place of its stars.
func fill(pattern string, numbers []string) string {
	for _, number := range numbers {
		pattern = strings.Replace(pattern, "*", number, 1)
	}
	return pattern
}
