package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/go-json-experiment/json/jsontext"
)

// guessConversion returns the conversion of an input without --from. It detects the format from the
// first JSON object. The input can still be read from its start.
func (t *tables) guessConversion(in *input, to format) (conversion, error) {
	var seen bytes.Buffer
	defer func(rest io.Reader) { in.reader = io.MultiReader(&seen, rest) }(in.reader)
	choices, first := t.guessFormats(bufio.NewReader(io.TeeReader(in.reader, &seen)))
	var possible []conversion
	for _, from := range choices {
		if c, err := t.findConversion(from, to); err == nil {
			possible = append(possible, c)
		}
	}
	switch {
	case len(choices) == 0:
		return conversion{},
			fmt.Errorf("the format cannot be detected; set --from to one of %s",
				message.List(t.sources(to), "or"))
	case len(possible) == 0:
		return conversion{},
			fmt.Errorf("the content is %s, which cannot be converted to %s; that can be made from %s",
				message.List(choices, "or"), to, message.List(t.sources(to), "or"))
	case len(possible) == 1:
		return possible[0], nil
	case possible[0].from != geminiResponse:
		return conversion{},
			fmt.Errorf("the content may be %s; choose with --from", message.List(choices, "or"))
	case first.isFollowed():
		return possible[1], nil
	default:
		return possible[0], nil
	}
}

// guessFormats returns the possible formats of an input, and its first object. It returns no format
// if the start does not show it. An object with an answer of Gemini is a response or a chunk of a
// stream.
func (t *tables) guessFormats(r *bufio.Reader) ([]format, *firstObject) {
	switch skipBlank(r) {
	case '{':
		first := readFirstObject(r)
		return t.formatsOf(first), first
	case '[':
		_, _ = r.Discard(1) // it is in the buffer
		return t.asStream(readFirstObject(r)), nil
	default:
		return t.asStream(firstEvent(r)), nil
	}
}

// asStream returns the stream format with a chunk in its array or its first event.
func (t *tables) asStream(chunk *firstObject) []format {
	if slices.Contains(t.formatsOf(chunk), geminiStream) {
		return []format{geminiStream}
	}
	for _, f := range t.forms {
		if f.Stream.Is(chunk.names, chunk.kind) {
			return []format{format(f.Stream.Name)}
		}
	}
	return nil
}

// skipBlank skips a byte order mark and white space, and returns the next byte, or 0 at the end.
func skipBlank(r *bufio.Reader) byte {
	if mark, _ := r.Peek(len(byteOrderMark)); bytes.Equal(mark, byteOrderMark) {
		_, _ = r.Discard(len(byteOrderMark))
	}
	for {
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return 0
		case !bytes.Contains(blanks, []byte{c}):
			_ = r.UnreadByte()
			return c
		}
	}
}

var blanks = []byte(" \t\r\n")

// firstEvent returns the data of the first event of an event stream.
func firstEvent(r *bufio.Reader) *firstObject {
	for {
		line, err := r.ReadString('\n')
		if data, ok := strings.CutPrefix(line, "data:"); ok {
			return readFirstObject(strings.NewReader(data))
		}
		if err != nil || strings.TrimSpace(line) != "" && !strings.Contains(line, ":") {
			return &firstObject{} // not the head of an event
		}
	}
}

// firstObject is the first JSON object of an input.
type firstObject struct {
	// names are the names of its members, in the form of [jsonx.FoldName].
	names map[string]bool
	// kind is the value of its member type.
	kind    string
	decoder *jsontext.Decoder
}

// readFirstObject reads an object, or the start of a broken one.
func readFirstObject(r io.Reader) *firstObject {
	d := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	o := &firstObject{names: map[string]bool{}, decoder: d}
	if begin, err := d.ReadToken(); err != nil || begin.Kind() != jsontext.KindBeginObject {
		return o
	}
	for {
		token, err := d.ReadToken()
		if err != nil || token.Kind() != jsontext.KindString {
			return o
		}
		name := token.String()
		o.names[jsonx.FoldName(name)] = true
		if name == "type" && d.PeekKind() == jsontext.KindString {
			text, _ := d.ReadToken()
			o.kind = text.String()
		} else if d.SkipValue() != nil {
			return o
		}
	}
}

// isFollowed reports whether another object follows.
func (o *firstObject) isFollowed() bool { return o.decoder.PeekKind() == jsontext.KindBeginObject }

// formatsOf returns the formats of an input that is the object, or lines that begin with it.
func (t *tables) formatsOf(o *firstObject) []format {
	switch names := o.names; {
	case names["candidates"] && names["usage"]:
		return []format{normalized}
	case names["candidates"] || names["promptfeedback"] || names["usagemetadata"] ||
		names["error"] && len(names) == 1:
		return []format{geminiResponse, geminiStream}
	case names["contents"]:
		return []format{geminiRequest}
	}
	// a later form recognizes its requests only after the forms before it
	for _, f := range slices.Backward(t.forms) {
		if f.Request.Is(o.names, o.kind) {
			return []format{format(f.Request.Name)}
		}
	}
	for _, f := range t.forms {
		if f.Response.Is(o.names, o.kind) {
			return []format{format(f.Response.Name)}
		}
	}
	switch {
	case firstTypes[o.kind] != nil:
		return firstTypes[o.kind]
	case aisdkapi.PartType(o.kind).Valid():
		return []format{aisdkStream}
	default:
		return nil
	}
}

// firstTypes are types of first lines that only streams of some formats have.
var firstTypes = map[string][]format{
	"start":            {normalizedStream},
	"error":            {normalizedStream, aisdkStream},
	"init":             {agentNDJSON},
	"message":          {agentNDJSON},
	"sandbox":          {agentNDJSON},
	"relay.session":    {agentNDJSON},
	"snapshot_request": {agentNDJSON},
	"execute_request":  {agentNDJSON},
	"tool_use":         {agentNDJSON},
	"tool_result":      {agentNDJSON},
	"stderr":           {agentNDJSON},
}
