// Package transform describes a form: an API that clients speak and that Gemini answers, such as
// OpenAI's chat_completions.
//
// A [Form] is one value with all that a program needs to serve it: its paths, how a request's bytes
// are read and become Gemini's, how an answer and a stream are written, how an error looks, and how
// tokens are counted. Package forms, inside, has the table of them:
//
//	form := forms.All().At("/v1/chat/completions")
//	request, err := form.Decode(body)
//	...
//	out, report, err := request.ToGemini(transform.Target{Model: "gemini-3.6-flash"})
//	...
//	answer, report, err := request.AppendAnswer(nil, response, transform.Options{})
//
// A new form is a folder with such a value and a row of the table. The gateway, bulk jobs, the
// command and the inspector take the table as an option and name no form themselves.
//
// A Form is safe for concurrent use. A [Request] and a [Stream] belong to one goroutine, but for
// [Stream].Heartbeat.
package transform
