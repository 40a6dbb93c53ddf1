package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode"

	"github.com/gemwire/gemwire/internal/wire"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	openairequest "github.com/gemwire/gemwire/pkg/transform/openai/request"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// finding is one thing that is wrong with an input, and where.
type finding struct {
	// pointer is the place as a JSON pointer, "" for the whole input.
	pointer string
	// offset counts the bytes before the place, -1 when it is not known.
	offset  int64
	message string
}

// String returns the finding as one line, "/pointer: offset 17: message". What is not known is left
// out, and so is the pointer of the whole input.
func (f finding) String() string {
	var b strings.Builder
	if f.pointer != "" {
		fmt.Fprintf(&b, "%s: ", escapeControls(f.pointer))
	}
	if f.offset >= 0 {
		fmt.Fprintf(&b, "offset %d: ", f.offset)
	}
	b.WriteString(escapeControls(strings.Join(strings.Fields(f.message), " ")))
	return b.String()
}

// escapeControls keeps what a payload says from ending the line or commanding the terminal.
func escapeControls(text string) string {
	if strings.IndexFunc(text, unicode.IsControl) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// findings takes an error about the input of the given name apart. There is at least one.
func findings(name string, err error) []finding {
	if e, ok := errors.AsType[*placedError](err); ok {
		return e.findings(name)
	}
	for _, take := range findingsOf {
		if found := take(err); found != nil {
			return found
		}
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok && path.Path == name {
		err = path.Err
	}
	if errors.Is(err, context.Canceled) {
		return []finding{{offset: -1, message: "interrupted"}}
	}
	message := err.Error()
	for _, prefix := range []string{"openai: write stream: ", "aisdk: ", "agent: "} {
		message = strings.TrimPrefix(message, prefix)
	}
	return []finding{{offset: -1, message: message}}
}

// findings returns those of the error within, with places in the whole input.
func (e *placedError) findings(name string) []finding {
	found := findings(name, e.err)
	for i := range found {
		found[i].pointer = e.pointer + found[i].pointer
		if e.offset >= 0 {
			found[i].offset = e.offset + max(found[i].offset, 0)
		}
	}
	return found
}

// findingsOf lists the kinds of errors that know a place, or several. Each function returns nil for
// the others. The order matters where one error wraps another: the first that knows decides.
var findingsOf = []func(error) []finding{
	ofLoss,
	ofViolations,
	ofRequest,
	ofPart,
	ofBlocked,
	ofAPIError,
	ofStream,
	ofStreamPart,
	ofStreamEnd,
	ofOpenAIStream,
	ofMalformed,
	ofEncode,
	ofJSONValue,
	ofJSONSyntax,
}

func ofLoss(err error) []finding {
	e, ok := errors.AsType[*transform.LossError](err)
	if !ok {
		return nil
	}
	var found []finding
	for _, loss := range e.Lost {
		found = append(found, finding{loss.Pointer, -1, "lost: " + loss.Detail})
	}
	return found
}

// ofViolations is about a value that breaks rules. A Gemini request that was converted into it has other
// places, so these are said to be those of the result.
func ofViolations(err error) []finding {
	e, ok := errors.AsType[*validation.Error](err)
	if !ok {
		return nil
	}
	of := ""
	if _, converted := errors.AsType[*openairequest.Error](err); converted {
		of = "in the Gemini request: "
	}
	var found []finding
	for _, violation := range e.Violations {
		pointer, offset := violation.Location()
		found = append(found, finding{pointer, offset, of + violation.Reason()})
	}
	return found
}

// ofRequest is about a request that has no counterpart.
func ofRequest(err error) []finding {
	e, ok := errors.AsType[*openairequest.Error](err)
	if !ok {
		return nil
	}
	message := e.Reason
	if e.Err != nil {
		message += ": " + e.Err.Error()
	}
	return []finding{{e.Pointer, -1, message}}
}

func ofPart(err error) []finding {
	e, ok := errors.AsType[*normalize.PartError](err)
	if !ok {
		return nil
	}
	return []finding{{e.Pointer, -1, e.Problem}}
}

func ofBlocked(err error) []finding {
	e, ok := errors.AsType[*normalize.BlockedError](err)
	if !ok {
		return nil
	}
	return []finding{{"/promptFeedback", -1, "the prompt was blocked: " + string(e.Reason)}}
}

func ofAPIError(err error) []finding {
	e, ok := errors.AsType[*gemini.Error](err)
	if !ok {
		return nil
	}
	return []finding{{"", -1, "not an answer but an error: " + strings.TrimPrefix(e.Error(), "gemini: ")}}
}

// ofStream leaves errors of the reader under the stream to the end of the list.
func ofStream(err error) []finding {
	e, ok := errors.AsType[*gemini.StreamError](err)
	if !ok {
		return nil
	}
	malformed, isMalformed := errors.AsType[*gemini.MalformedError](e.Err)
	switch {
	case errors.Is(e.Err, gemini.ErrTruncated) && e.Event == 1:
		return []finding{{"", e.Offset, "the stream is truncated: " + e.Reason}}
	case errors.Is(e.Err, gemini.ErrTruncated):
		return []finding{{"", e.Offset, fmt.Sprintf("the stream is truncated after event %d: %s", e.Event-1, e.Reason)}}
	case isMalformed:
		message := fmt.Sprintf("event %d, byte %d of it: %s", e.Event, malformed.Offset, malformed.Message)
		return []finding{{position(e.Event-1) + malformed.Pointer, e.Offset, message}}
	case errors.Is(e.Err, gemini.ErrEventTooLarge):
		return []finding{{position(e.Event - 1), e.Offset, fmt.Sprintf("event %d: %s", e.Event, e.Reason)}}
	default:
		return nil
	}
}

func ofStreamPart(err error) []finding {
	e, ok := errors.AsType[*aisdk.PartError](err)
	if !ok {
		return nil
	}
	return []finding{{e.Pointer, -1, e.Reason()}}
}

// ofStreamEnd is about a stream that says itself how it failed.
func ofStreamEnd(err error) []finding {
	e, ok := errors.AsType[*normalize.Error](err)
	if !ok || e.Err != nil {
		return nil
	}
	return []finding{{"", -1, "not an answer but an error: " + e.Message}}
}

func ofMalformed(err error) []finding {
	e, ok := errors.AsType[*gemini.MalformedError](err)
	if !ok {
		return nil
	}
	return []finding{{e.Pointer, e.Offset, e.Message}}
}

func ofOpenAIStream(err error) []finding {
	e, ok := errors.AsType[*openai.StreamError](err)
	if !ok {
		return nil
	}
	pointer, offset := e.Location()
	return []finding{{pointer, offset, e.Reason()}}
}

func ofEncode(err error) []finding {
	e, ok := errors.AsType[*gemini.EncodeError](err)
	if !ok {
		return nil
	}
	message := e.Error()
	return []finding{{e.Pointer, -1, message[strings.LastIndex(message, ": ")+2:]}}
}

// ofJSONValue explains without the names of Go types, which mean nothing to a user of the command.
func ofJSONValue(err error) []finding {
	e, ok := errors.AsType[*json.SemanticError](err)
	switch {
	case !ok:
		return nil
	case errors.Is(e, json.ErrUnknownName):
		return []finding{{string(e.JSONPointer), e.ByteOffset, "the format has no such member"}}
	case e.JSONKind == jsontext.KindInvalid && e.Err != nil:
		return []finding{{string(e.JSONPointer), e.ByteOffset, e.Err.Error()}}
	default:
		return []finding{{string(e.JSONPointer), e.ByteOffset, wire.KindName(e.JSONKind) + " does not belong here"}}
	}
}

func ofJSONSyntax(err error) []finding {
	e, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return nil
	}
	message := "not JSON"
	if errors.Is(e, io.ErrUnexpectedEOF) {
		message = "the input ends too early"
	} else if errors.Is(e, jsontext.ErrDuplicateName) {
		message = "the member is there twice"
	}
	return []finding{{string(e.JSONPointer), e.ByteOffset, message}}
}
