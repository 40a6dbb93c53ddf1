package turn

import "bytes"

// What an event has around its data.
const (
	EventName  = "event: "
	EventStart = "data: "
	EventEnd   = "\n\n"
)

// DoneMark is the event that ends the streams of OpenAI.
const DoneMark = "data: [DONE]\n\n"

// AppendEventName appends what stands before the data of an event with a name.
func AppendEventName(dst []byte, name string) []byte {
	dst = append(append(dst, EventName...), name...)
	return append(append(dst, '\n'), EventStart...)
}

// AppendComment appends a comment, with the blank line at which some proxies pass on what they have.
func AppendComment(dst []byte) []byte { return append(dst, ": keep-alive\n\n"...) }

// DataOf returns the data of an event, without the line of its name; a comment as it is.
func DataOf(event []byte) []byte {
	if name, data, hasName := bytes.Cut(event, []byte("\n"+EventStart)); hasName && bytes.HasPrefix(name, []byte(EventName)) {
		return data
	}
	return bytes.TrimPrefix(event, []byte(EventStart))
}
