// Package framing writes payloads like Google's servers, byte for byte: a whole answer over several
// lines, an event of a stream on one line that ends in CRLF, and a stream without alt=sse as a JSON
// list. It changes only the white space of a payload and the escapes of < and >.
//
// The forms are from recorded answers; a test compares them with the recordings.
package framing

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendWhole appends a payload in the form of an answer or error that is the whole body: two
// spaces per level, and a line feed at the end.
//
// It returns an error if the payload is not JSON.
func AppendWhole(dst []byte, payload jsontext.Value) ([]byte, error) {
	return appendFormatted(dst, payload, "\n", jsontext.WithIndent("  "),
		jsontext.SpaceAfterColon(true))
}

// AppendEvent appends a payload as an event of a stream with alt=sse: one line, with a space after
// each colon and none after a comma, and a blank line. Both lines end in CRLF.
//
// It returns an error if the payload is not JSON.
func AppendEvent(dst []byte, payload jsontext.Value) ([]byte, error) {
	start := len(dst)
	out, err := appendFormatted(append(dst, "data: "...), payload, "\r\n\r\n",
		jsontext.SpaceAfterColon(true))
	if err != nil {
		return dst[:start], err
	}
	return out, nil
}

// AppendElement appends a payload as an element of a stream without alt=sse. The first element
// opens the list, and [ListEnd] closes it.
//
// It returns an error if the payload is not JSON.
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

// ListEnd follows the last element of a stream without alt=sse.
const ListEnd = "]"

// appendFormatted appends a payload in the format of the options, and an end. The servers escape <
// and >, but no other special character of HTML: recorded answers have & and ' unescaped.
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
