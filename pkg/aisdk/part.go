package aisdk

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// Part is one element of the stream that a language model gives to the AI SDK. It is one of the
// struct types of this package that have a PartType method; there are no others.
//
// Parts are plain values. The JSON form is that of [EncodePart]; encoding/json and its successors
// write the same through the parts' MarshalJSON methods. Reading is [DecodePart]'s: the struct types
// have no tags to read by.
type Part interface {
	// PartType names the variant.
	PartType() PartType
	write(w *partWriter)
}

// PartType is the value of a part's member "type".
type PartType string

// The types of parts, in the order of the SDK's own declaration. The last three are V4 only.
const (
	// TypeTextStart opens a text block; see [TextStart].
	TypeTextStart PartType = "text-start"
	// TypeTextDelta is a piece of a text block; see [TextDelta].
	TypeTextDelta PartType = "text-delta"
	// TypeTextEnd closes a text block; see [TextEnd].
	TypeTextEnd PartType = "text-end"
	// TypeReasoningStart opens a reasoning block; see [ReasoningStart].
	TypeReasoningStart PartType = "reasoning-start"
	// TypeReasoningDelta is a piece of a reasoning block; see [ReasoningDelta].
	TypeReasoningDelta PartType = "reasoning-delta"
	// TypeReasoningEnd closes a reasoning block; see [ReasoningEnd].
	TypeReasoningEnd PartType = "reasoning-end"
	// TypeToolInputStart opens the input of a tool call; see [ToolInputStart].
	TypeToolInputStart PartType = "tool-input-start"
	// TypeToolInputDelta is a piece of a tool call's input; see [ToolInputDelta].
	TypeToolInputDelta PartType = "tool-input-delta"
	// TypeToolInputEnd closes the input of a tool call; see [ToolInputEnd].
	TypeToolInputEnd PartType = "tool-input-end"
	// TypeToolApprovalRequest asks the user to allow a call; see [ToolApprovalRequest].
	TypeToolApprovalRequest PartType = "tool-approval-request"
	// TypeToolCall is a whole tool call; see [ToolCall].
	TypeToolCall PartType = "tool-call"
	// TypeToolResult is the result of a call that the provider ran; see [ToolResult].
	TypeToolResult PartType = "tool-result"
	// TypeFile is a file that the model made; see [File].
	TypeFile PartType = "file"
	// TypeSource is a source that the answer rests on; see [Source].
	TypeSource PartType = "source"
	// TypeStreamStart is the begin of the stream; see [StreamStart].
	TypeStreamStart PartType = "stream-start"
	// TypeResponseMetadata tells about the response; see [ResponseMetadata].
	TypeResponseMetadata PartType = "response-metadata"
	// TypeFinish is the end of the stream; see [Finish].
	TypeFinish PartType = "finish"
	// TypeRaw is a chunk of the provider as it came; see [RawPart].
	TypeRaw PartType = "raw"
	// TypeError is a failure within the stream; see [ErrorPart].
	TypeError PartType = "error"
	// TypePing keeps a connection alive; see [Ping]. V4 only.
	TypePing PartType = "ping"
	// TypeCustom is content of a kind that only its provider knows; see [Custom]. V4 only.
	TypeCustom PartType = "custom"
	// TypeReasoningFile is a file made while reasoning; see [ReasoningFile]. V4 only.
	TypeReasoningFile PartType = "reasoning-file"
)

// EncodeOption changes how parts are encoded.
type EncodeOption func(*partWriter)

// ForV4 encodes parts as LanguageModelV4StreamPart. By default they are encoded as
// LanguageModelV3StreamPart, and what only V4 has is an error: [Ping], [Custom], [ReasoningFile],
// the citations of a [TextEnd], the URL of a [File], [FinishInterrupted], [WarningDeprecated].
func ForV4() EncodeOption {
	return func(w *partWriter) { w.v4 = true }
}

// EncodePart returns a part as compact JSON on one line, without a line feed at the end: the member
// "type" first, no HTML escapes, free-form values without white space and otherwise as they are,
// equal bytes for equal parts. Bytes of a text that are not UTF-8 become U+FFFD.
//
// It returns a *[PartError] when the part is nil, holds a [jsontext.Value] that is not JSON or not
// of the kind that belongs there, an enum value that the SDK does not know, or something that only
// V4 has.
func EncodePart(p Part, opts ...EncodeOption) ([]byte, error) {
	const usual = 128
	line, err := AppendPart(make([]byte, 0, usual), p, opts...)
	if err != nil {
		return nil, err
	}
	return line, nil
}

// AppendPart appends what [EncodePart] returns to dst and returns the extended slice. After an error
// dst is returned as it was.
func AppendPart(dst []byte, p Part, opts ...EncodeOption) ([]byte, error) {
	if p == nil {
		return dst, &PartError{Reason: "nothing to encode"}
	}
	w := partWriter{buf: dst, of: p.PartType()}
	for _, opt := range opts {
		opt(&w)
	}
	w.begin()
	w.text("type", string(w.of))
	p.write(&w)
	w.end()
	if w.err != nil {
		return dst, w.err
	}
	return w.buf, nil
}

// WritePart writes what [EncodePart] returns and a line feed in one call of w.Write, and nothing if
// p cannot be encoded. An error of w is returned wrapped.
func WritePart(w io.Writer, p Part, opts ...EncodeOption) error {
	line, err := EncodePart(p, opts...)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("aisdk: %s: %w", p.PartType(), err)
	}
	return nil
}

// DecodePart reads one part as [EncodePart] writes it, of V3 and V4 alike. Free-form values are kept
// byte for byte.
//
// It returns a *[PartError] for what is not JSON, a type that it does not know, and a member that is
// missing, of the wrong kind, or not one of the part's: a payload in another form is never taken for
// a part. Bytes that are not UTF-8 become U+FFFD. An optional member that is null counts as absent, and so does an empty text where the SDK
// has text|undefined.
func DecodePart(data []byte) (Part, error) {
	members, err := splitObject(validUTF8(bytes.Clone(data))) // the part may outlive data
	if err != nil {
		return nil, newSyntaxError(err)
	}
	r := &partReader{members: members}
	kind := PartType(r.text("type"))
	read, known := partReaders[kind]
	if r.err == nil && !known {
		r.fail("type", "not a type of part that is known here")
	}
	if r.err != nil {
		return nil, r.err
	}
	part := read(r)
	r.rejectOthers()
	if r.err != nil {
		r.err.Type = kind
		return nil, r.err
	}
	return part, nil
}

// ReadParts reads parts as [WritePart] writes them, one JSON object after the other with any white
// space in between, each as soon as it has come. The first error ends the sequence: a *[PartError]
// with the part's offset, or an error of the reader, wrapped.
func ReadParts(r io.Reader) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		d := jsontext.NewDecoder(r, lenient)
		for {
			part, err := readPart(d)
			if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return
			}
			if !yield(part, err) || err != nil {
				return
			}
		}
	}
}

func readPart(d *jsontext.Decoder) (Part, error) {
	value, err := d.ReadValue()
	if _, isSyntax := errors.AsType[*jsontext.SyntacticError](err); isSyntax {
		return nil, newSyntaxError(err)
	}
	if err != nil {
		return nil, fmt.Errorf("aisdk: reading parts at byte %d: %w", d.InputOffset(), err)
	}
	part, err := DecodePart(value)
	if partError, ok := errors.AsType[*PartError](err); ok {
		partError.Offset += d.InputOffset() - int64(len(value))
	}
	return part, err
}

// partReaders has the reader of each type of part.
var partReaders = map[PartType]func(*partReader) Part{
	TypeTextStart:           readTextStart,
	TypeTextDelta:           readTextDelta,
	TypeTextEnd:             readTextEnd,
	TypeReasoningStart:      readReasoningStart,
	TypeReasoningDelta:      readReasoningDelta,
	TypeReasoningEnd:        readReasoningEnd,
	TypeToolInputStart:      readToolInputStart,
	TypeToolInputDelta:      readToolInputDelta,
	TypeToolInputEnd:        readToolInputEnd,
	TypeToolApprovalRequest: readToolApprovalRequest,
	TypeToolCall:            readToolCall,
	TypeToolResult:          readToolResult,
	TypeFile:                readFile,
	TypeSource:              readSourcePart,
	TypeStreamStart:         readStreamStart,
	TypeResponseMetadata:    readResponseMetadata,
	TypeFinish:              readFinish,
	TypeRaw:                 readRawPart,
	TypeError:               readErrorPart,
	TypePing:                readPing,
	TypeCustom:              readCustom,
	TypeReasoningFile:       readReasoningFile,
}

// PartError says why a part cannot be encoded or decoded, and where. It never quotes the payload,
// except for the names of members in the pointer.
type PartError struct {
	// Type is the type of the part, "" while it is not known.
	Type PartType
	// Offset counts the bytes of the input before the part or, when it is not JSON, before the fault.
	Offset int64
	// Pointer is the JSON pointer (RFC 6901) of the value at fault; "" is the whole part.
	Pointer string
	// Reason is the fault in words, for example "a string was expected".
	Reason string
	// Err is the cause, an error of the JSON library; nil where the fault is not one of syntax. Its
	// own text may quote a character of the payload.
	Err error
}

// Error returns one line such as "aisdk: text-delta at byte 93: /delta: a string was expected".
func (e *PartError) Error() string {
	text := "aisdk: " + string(cmp.Or(e.Type, "part"))
	if e.Offset > 0 {
		text += fmt.Sprintf(" at byte %d", e.Offset)
	}
	if e.Pointer != "" {
		text += ": " + e.Pointer
	}
	return text + ": " + e.Reason
}

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }
