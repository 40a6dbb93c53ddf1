package payloadcheck

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// PositionAt returns the position of a byte in a text.
func PositionAt(data []byte, offset int) validation.Position {
	before := data[:min(offset, len(data))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	return validation.Position{Offset: len(before), Line: bytes.Count(before, []byte("\n")) + 1,
		Column: utf8.RuneCount(line) + 1}
}

// positions finds the positions of rising offsets, in one pass over the text. If an offset is lower
// than the one before, it needs another pass.
type positions struct {
	data         []byte
	offset, line int // up to where lines are counted, and how many ended before
}

func (p *positions) at(offset int) validation.Position {
	offset = min(offset, len(p.data))
	if offset < p.offset {
		return PositionAt(p.data, offset)
	}
	p.line += bytes.Count(p.data[p.offset:offset], []byte("\n"))
	p.offset = offset
	begin := bytes.LastIndexByte(p.data[:offset], '\n') + 1
	line := bytes.TrimPrefix(p.data[begin:offset], []byte("\ufeff"))
	return validation.Position{Offset: offset, Line: p.line + 1, Column: utf8.RuneCount(line) + 1}
}

// Locate sets the missing positions of violations, and sorts the violations by position. The
// position is the beginning of the value in data. For a missing member it is the beginning of the
// object that lacks it.
func Locate(data []byte, found []validation.Violation) {
	wanted := map[string]int{} // offsets by pointer, -1 while they are not known
	for i := range found {
		if found[i].Position.IsZero() {
			for pointer := range lineage(found[i].Pointer) {
				wanted[pointer] = -1
			}
		}
	}
	if len(wanted) > 0 {
		find(data, wanted)
	}
	for i := range found {
		if !found[i].Position.IsZero() {
			continue
		}
		for pointer := range lineage(found[i].Pointer) {
			if offset := wanted[pointer]; offset >= 0 {
				found[i].Position = validation.Position{Offset: offset, Line: unknownLine}
				break
			}
		}
	}
	slices.SortStableFunc(found,
		func(a, b validation.Violation) int { return cmp.Compare(a.Position.Offset, b.Position.Offset) })
	lines := positions{data: data}
	for i := range found {
		if found[i].Position.Line == unknownLine {
			found[i].Position = lines.at(found[i].Position.Offset)
		}
	}
}

// unknownLine marks a position of which only the offset is known.
const unknownLine = -1

// lineage yields a pointer, and then the pointers of all values around its value, up to the whole
// document.
func lineage(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(pointer) && pointer != "" {
			pointer = pointer[:strings.LastIndexByte(pointer, '/')]
		}
	}
}

// find finds the beginnings of values.
func find(data []byte, wanted map[string]int) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data), options)
	for {
		begin := valueAt(data, int(decoder.InputOffset()))
		token, err := decoder.ReadToken()
		if err != nil {
			return
		}
		container, length := decoder.StackIndex(decoder.StackDepth())
		isName := container == jsontext.KindBeginObject && length%2 == 1 &&
			token.Kind() == jsontext.KindString
		if isName || token.Kind() == jsontext.KindEndObject ||
			token.Kind() == jsontext.KindEndArray {
			continue
		}
		if offset, ok := wanted[string(decoder.StackPointer())]; ok && offset < 0 {
			wanted[string(decoder.StackPointer())] = begin
		}
	}
}

// valueAt returns the offset of the next token.
func valueAt(data []byte, offset int) int {
	for offset < len(data) && strings.IndexByte(" \t\r\n,:", data[offset]) >= 0 {
		offset++
	}
	return offset
}
