// Package framing writes payloads as Google's servers do, byte for byte: a whole answer over
// several lines, an event of a stream on one line that ends in CRLF, and a stream without alt=sse
// as a JSON list. What is in a payload is the caller's; nothing of it is changed but its white
// space and the escapes of < and >.
//
// The forms are those of recorded answers; a test holds them to the recordings.
package framing

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendWhole appends a payload as an answer or error is written that is the whole body: two spaces
// a level, and a line feed at the end.
//
// It fails when the payload is not JSON.
func AppendWhole(dst []byte, payload jsontext.Value) ([]byte, error) {
	return appendFormatted(dst, payload, "\n", jsontext.WithIndent("  "),
		jsontext.SpaceAfterColon(true))
}

// AppendEvent appends a payload as an event of a stream with alt=sse: one line, a space behind each
// colon and none behind a comma, and a blank line. Both lines end in CRLF.
//
// It fails when the payload is not JSON.
func AppendEvent(dst []byte, payload jsontext.Value) ([]byte, error) {
	start := len(dst)
	out, err := appendFormatted(append(dst, "data: "...), payload, "\r\n\r\n",
		jsontext.SpaceAfterColon(true))
	if err != nil {
		return dst[:start], err
	}
	return out, nil
}

// AppendElement appends a payload as an element of a stream without alt=sse. The first one opens
// the list, and [ListEnd] closes it.
//
// It fails when the payload is not JSON.
func AppendElement(dst []byte, payload jsontext.Value, isFirst bool) ([]byte, error) {
	start, before := len(dst), ",\r\n"
	if isFirst {
		before = "["
	}
	out, err := AppendWhole(append(dst, before...), payload)
	if err != nil {
		return dst[:start], err
	}
	return out, nil
}

// ListEnd is what stands behind the last element of a stream without alt=sse.
const ListEnd = "]"

// appendFormatted appends a payload in the format of the options, and an end. The servers escape <
// and >, and no other character that HTML knows: & and ' stand in recorded answers as they are.
func appendFormatted(dst []byte, payload jsontext.Value, end string,
	opts ...jsontext.Options) ([]byte, error) {
	out := bytes.Clone(payload)
	value := jsontext.Value(out)
	opts = append(opts, jsontext.PreserveRawStrings(true), jsontext.AllowDuplicateNames(true))
	if err := value.Format(opts...); err != nil {
		return dst, err
	}
	for _, b := range value {
		switch b {
		case '<':
			dst = append(dst, `\u003c`...)
		case '>':
			dst = append(dst, `\u003e`...)
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, end...), nil
}
