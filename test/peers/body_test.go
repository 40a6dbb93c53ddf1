package peers_test

import (
	"strings"
)

// end is how a stream has to end for the one who reads it.
type end int

const (
	// answered is the whole text, why it ended, and no error.
	answered end = iota
	// refused is an error with the message of the server.
	refused
	// broken is an error of any kind.
	broken
	// unharmed is anything but a panic.
	unharmed
)

var endWords = map[end]string{
	answered: "the answer",
	refused:  "the server's error",
	broken:   "an error",
	unharmed: "no panic",
}

// body is a row of the table: what a server sends with status 200, and what its reader has to get.
type body struct {
	name string
	// write returns the bytes, "" for an API that has no such body.
	write func(w format) string
	// text is the text that has to arrive before the end.
	text string
	end  end
	// contentType is text/event-stream where it is empty.
	contentType string
	// cut breaks the connection after the bytes.
	cut bool
}

// bodies are the rows.
var bodies = []body{
	{name: "LF", write: func(w format) string { return written(w.answer(), "\n") }, text: greeting},
	{name: "CRLF", write: func(w format) string { return written(w.answer(), "\r\n") }, text: greeting},
	{name: "CR", write: func(w format) string { return written(w.answer(), "\r") }, text: greeting},
	{name: "all three in turns", write: mixed, text: greeting},
	{name: "byte order mark", write: func(w format) string { return "\uFEFF" + written(w.answer(), "\n") }, text: greeting},
	{name: "comments", write: between(": hi", ":", ": ping\n"), text: greeting},
	{name: "event names", write: withNames, text: greeting},
	{name: "`id` and `retry`", write: between("id: 7\nretry: 100", "id\nretry: soon\n"), text: greeting},
	{name: "no space after the colon", write: withoutSpace, text: greeting},
	{name: "data in several lines", write: inSeveralLines, text: greeting},
	{name: "events without data", write: between("id: 1\n", "event: note\n"), text: greeting},
	{name: "events with empty data", write: between("data\n", "data:\n"), text: greeting},
	{name: "`[DONE]`", write: done, text: greeting},
	{name: "event of 33 MB", write: withLargeText, text: strings.Repeat("A", 33<<20)},
	{name: "last event without a blank line", write: func(w format) string {
		return strings.TrimSuffix(written(w.finished(), "\n"), "\n")
	}, text: greeting},
	{name: "last event without a line end", write: func(w format) string {
		return strings.TrimSuffix(written(w.finished(), "\n"), "\n\n")
	}, text: greeting},
	{name: "JSON list, as without `alt=sse`", write: list, text: greeting, contentType: "application/json"},
	{name: "error as an event", write: func(w format) string {
		return written(append(w.begun(), w.failed), "\n")
	}, text: greeting, end: refused},
	{name: "bare error after an event", write: func(w format) string {
		return written(w.begun(), "\n") + w.error + "\n"
	}, text: greeting, end: refused},
	{name: "bare error in place of the answer", write: func(w format) string { return w.error + "\n" }, end: refused},
	{name: "HTML page", write: func(format) string {
		return "<html><title>502 Bad Gateway</title></html>\n"
	}, end: broken, contentType: "text/html"},
	{name: "plain text", write: func(format) string { return "upstream connect error\n" }, end: broken, contentType: "text/plain"},
	{name: "empty body", write: func(format) string { return "" }, end: broken},
	{name: "ends after an event", write: func(w format) string { return written(w.begun(), "\n") }, text: greeting, end: broken},
	{name: "ends within an event", write: func(w format) string { return written(w.begun(), "\n") + half(w) }, text: greeting, end: broken},
	{name: "connection breaks", write: func(w format) string {
		return written(w.begun(), "\n") + half(w)
	}, text: greeting, end: broken, cut: true},
	{name: "event that is no JSON", write: func(w format) string {
		return written(append(w.begun(), event{w.end[0].name, "{oops"}), "\n") +
			written(w.end, "\n")
	}, text: greeting, end: broken},
	{name: "event that is `null`", write: odd("null"), end: unharmed},
	{name: "`null` in the list of choices", write: odd("null in a list"), end: unharmed},
	{name: "object for that list", write: odd("object"), end: unharmed},
	{name: "`null` in the list of parts", write: odd("null part"), end: unharmed},
}

// mixed ends the lines of each event in another way.
func mixed(w format) string {
	var b strings.Builder
	ends := [][2]string{{"\r\n", "\r"}, {"\n", "\r\n"}, {"\r", "\r\n"}}
	for i, e := range w.answer() {
		line, blank := ends[i%3][0], ends[i%3][1]
		b.WriteString(strings.Join(e.lines(), line) + line + blank)
	}
	return b.String()
}

// between returns what writes an answer with lines between its events, one after the other in
// turns.
func between(lines ...string) func(format) string {
	return func(w format) string {
		text := ""
		for i, e := range w.answer() {
			text += lines[i%len(lines)] + "\n" + written([]event{e}, "\n")
		}
		return text
	}
}

func withNames(w format) string {
	events := w.answer()
	for i := range events {
		if events[i].name == "" {
			events[i].name = "message"
		}
	}
	return written(events, "\n")
}

func withoutSpace(w format) string {
	return strings.NewReplacer("data: ", "data:", "event: ",
		"event:").Replace(written(w.answer(), "\n"))
}

// inSeveralLines breaks each object after its first brace.
func inSeveralLines(w format) string {
	return strings.ReplaceAll(written(w.answer(), "\n"), "data: {", "data: {\ndata: ")
}

// done marks the end of an answer with [DONE], also for an API that has no such mark.
func done(w format) string { return written(append(w.finished(), event{data: "[DONE]"}), "\n") }

func withLargeText(w format) string {
	return strings.Replace(written(w.answer(), "\n"), greeting, strings.Repeat("A", 33<<20), 1)
}

func list(w format) string {
	if len(w.begin)+len(w.done) > 0 {
		return "" // Only Gemini streams lists.
	}
	return "[" + w.hello.data + "\n,\r\n" + w.end[0].data + "\n]\n"
}

func half(w format) string { return written(w.end[:1], "\n")[:20] }

func odd(kind string) func(format) string {
	return func(w format) string {
		payload, has := w.odd[kind]
		if !has {
			return ""
		}
		return written(append(w.begun(), payload), "\n") + written(append(w.end, w.done...), "\n")
	}
}
