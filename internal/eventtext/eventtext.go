// Package eventtext provides the fixed texts of server-sent events, such as "data: " and the blank
// line after an event.
package eventtext

import "bytes"

// The text before and after the data of an event.
const (
	Name  = "event: "
	Start = "data: "
	End   = "\n\n"
)

// DoneMark is the event at the end of OpenAI's streams.
const DoneMark = "data: [DONE]\n\n"

// AppendName appends the text before the data of an event with a name.
func AppendName(dst []byte, name string) []byte {
	dst = append(append(dst, Name...), name...)
	return append(append(dst, '\n'), Start...)
}

// AppendComment appends a comment and a blank line. Some proxies forward their buffer only at a
// blank line.
func AppendComment(dst []byte) []byte { return append(dst, ": keep-alive\n\n"...) }

// Data returns the data of an event, without the line of its name. It returns a comment unchanged.
func Data(event []byte) []byte {
	if name, data, hasName := bytes.Cut(event, []byte("\n"+Start)); hasName &&
		bytes.HasPrefix(name, []byte(Name)) {
		return data
	}
	return bytes.TrimPrefix(event, []byte(Start))
}
