package normalize

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Parse decodes and normalises the body of a generateContent answer. It reads whatever
// [gemini.DecodeForgiving] reads: a member of a type that makes no sense counts as absent and is
// listed in [Response.Ignored]. Only a text or a function's name that is not a string is a
// *[PartError], as passing over it would falsify the answer.
//
// It returns an error with [ErrInvalidJSON] or [ErrNotObject] in its chain when there is no JSON
// object, beside the errors of [FromResponse]. The result shares no memory with data.
func Parse(data []byte, opts ...Option) (*Response, error) {
	r, ignored, err := gemini.DecodeForgiving(data)
	if err != nil {
		return nil, parseError(data, err)
	}
	if ignored != nil {
		opts = append(slices.Clone(opts), func(o *options) { o.ignored = ignored })
	}
	return FromResponse(r, opts...)
}

// ParseStream reads and normalises the body of a streamed answer as [Parse] does that of a whole
// one: it yields what [Events] does of the chunks of a [gemini.StreamReader], and the last event
// lists in Ignored the members of a type that makes no sense, with pointers into the stream as a
// list of its chunks.
func ParseStream(body io.Reader, opts ...Option) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		reader := gemini.NewStreamReader(body)
		for event := range Events(reader.All(), opts...) {
			if event.Type == EventDone || event.Type == EventError {
				event.Ignored = append(event.Ignored, reader.Ignored()...)
			}
			if !yield(event) {
				return
			}
		}
	}
}

// parseError words why data cannot be decoded.
func parseError(data []byte, err error) error {
	malformed, ok := errors.AsType[*wire.MalformedError](err)
	if _, wrongType := errors.AsType[*json.SemanticError](err); !ok || !wrongType ||
		malformed.Pointer == "" {
		return notDecoded(data, err)
	}
	if problem := fatalTypes[strings.ToLower(jsontext.Pointer(malformed.Pointer).LastToken())]; problem != "" {
		return &PartError{Pointer: malformed.Pointer, Problem: problem, Err: err}
	}
	return fmt.Errorf("normalize: %w", err)
}

// fatalTypes are what is wrong with the members that [gemini.DecodeForgiving] does not ignore.
var fatalTypes = map[string]string{"text": problemNotText, "name": problemName}

// notDecoded reports what is wrong with bytes that cannot be decoded at all. A list may hold an
// error envelope: a stream that is not an event stream reports a failure that way.
func notDecoded(data []byte, err error) error {
	root := rootErrorOf(err)
	if root == nil || root.kind == ErrInvalidJSON {
		return &rootError{kind: ErrInvalidJSON, cause: err}
	}
	if syntax := syntaxError(data); syntax != nil {
		return &rootError{kind: ErrInvalidJSON, cause: syntax}
	}
	if e := gemini.DecodeError(0, nil, data); e.FromAPI() {
		return &errorEnvelope{e}
	}
	return root
}
