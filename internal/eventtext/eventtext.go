// Package eventtext has the text around the data of server-sent events.
package eventtext

import "bytes"

// What an event has around its data.
const (
	Name  = "event: "
	Start = "data: "
	End   = "\n\n"
)

// DoneMark is the event that ends the streams of OpenAI.
const DoneMark = "data: [DONE]\n\n"

// AppendName appends what stands before the data of an event with a name.
func AppendName(dst []byte, name string) []byte {
	dst = append(append(dst, Name...), name...)
	return append(append(dst, '\n'), Start...)
}

// AppendComment appends a comment, with the blank line at which some proxies pass on what they
// have.
func AppendComment(dst []byte) []byte { return append(dst, ": keep-alive\n\n"...) }

// Data returns the data of an event, without the line of its name; a comment as it is.
func Data(event []byte) []byte {
	if name, data, hasName := bytes.Cut(event, []byte("\n"+Start)); hasName &&
		bytes.HasPrefix(name, []byte(Name)) {
		return data
	}
	return bytes.TrimPrefix(event, []byte(Start))
}
