// Package line reads and writes the lines of bulk jobs: requests that are checked before any is sent, and what came of
// them.
//
//	in := line.NewReader(file)
//	for l, err := range in.Lines() {
//		if err != nil { ... } // an *InputError names the lines that are wrong
//		fmt.Println(l.Number, l.CustomID, l.URL, len(l.Body))
//	}
//
// An input is in OpenAI's form or in Gemini's (see [Form]), or is made of a template and a file of variables.
package line
