// Package line reads and writes the lines of bulk jobs. It checks requests before any is sent, and
// formats their results.
//
//	in := line.NewReader(file)
//	for l, err := range in.Lines() {
//		if err != nil { ... } // an *InputError names the lines that are wrong
//		fmt.Println(l.Number, l.CustomID, l.URL, len(l.Body))
//	}
//
// An input has one JSON object on each line, in one of two forms:
//
//	{"custom_id": "q1", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "gemini-3.6-flash", ...}}
//	{"key": "q1", "request": {"contents": [...]}}
//
// The first is the format of OpenAI's batches, the second the format of Gemini's batch mode; see
// [Format]. A template can also make the lines from a file of variables; see [NewTemplateReader].
// All lines of an input have the same format, url and model. Each line has a unique id, and each
// body must be valid in its API.
//
// The reader holds only the current line and a digest of each id: a million lines take 40 MB. It
// skips a line above the size limit without holding it.
//
// Results have the format of their input, see [AppendResult]. [Ranges] divides lines among workers.
// [AppendLine] and [AppendStored] are the storage formats of lines and results.
package line
