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

// Parse decodes and normalises the body of a generateContent answer. It accepts what
// [gemini.DecodeForgiving] accepts: a member of an invalid type counts as absent and is listed in
// [Response.Ignored]. Only a text or a function name that is not a string is an error, a
// *[PartError], because skipping it would falsify the answer.
//
// If data is not a JSON object, the error wraps [ErrInvalidJSON] or [ErrNotObject]. Other errors
// come from [FromResponse]. The result shares no memory with data.
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

// ParseStream reads and normalises the body of a streamed answer, with the rules of [Parse]. It
// yields the same events as [Events] for the chunks of a [gemini.StreamReader]. The last event
// lists members of an invalid type in Ignored, with pointers into the stream as a list of its
// chunks.
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

// parseError describes why data cannot be decoded.
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

// fatalTypes are the type errors that [gemini.DecodeForgiving] does not ignore.
var fatalTypes = map[string]string{"text": problemNotText, "name": problemName}

// notDecoded returns the error for bytes that cannot be decoded. A list may hold an error envelope:
// a stream that is not an event stream reports failures that way.
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
