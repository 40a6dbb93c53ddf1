// Package line reads and writes the lines of bulk jobs: requests that are checked before any is
// sent, and what came of them.
//
//	in := line.NewReader(file)
//	for l, err := range in.Lines() {
//		if err != nil { ... } // an *InputError names the lines that are wrong
//		fmt.Println(l.Number, l.CustomID, l.URL, len(l.Body))
//	}
//
// An input has one JSON object a line, in one of two forms:
//
//	{"custom_id": "q1", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "gemini-3.6-flash", ...}}
//	{"key": "q1", "request": {"contents": [...]}}
//
// The first is that of OpenAI's batches, the second that of Gemini's batch mode; see [Form]. Or a
// template makes the lines of a file of variables; see [NewTemplateReader]. All lines of an input
// have one form, one url and one model, each has an id of its own, and each body is held to the
// rules of its API.
//
// Nothing of an input is held but the line at hand, and a digest of each id: a million lines take
// 40 MB, and a line above the limit is passed over without being held.
//
// Results are written in the form of their input, as [AppendResult] says. [Ranges] divides lines
// among workers, and [AppendLine] and [AppendStored] are how lines and results are kept on the way.
package line
