// Package transform defines the interface that all conversions between Gemini and another API have.
// It calls the other API a form, for example OpenAI's chat_completions: clients use the form, and
// Gemini answers.
//
// A [Form] is one value with everything that a program needs to serve the API. It has the paths,
// the decoding and conversion of requests, the encoding of answers, streams and errors, and token
// counting. Package forms, a subpackage, has the table of forms:
//
//	form := forms.All().At("/v1/chat/completions")
//	request, err := form.Decode(body)
//	...
//	out, report, err := request.ToGemini(transform.Target{Model: "gemini-3.6-flash"})
//	...
//	answer, report, err := request.AppendAnswer(nil, response, transform.Options{})
//
// A new form is a folder with such a value and a row in the table. The gateway, bulk jobs, the
// command and the inspector get the table as an option. They name no form themselves.
//
// A Form is safe for concurrent use. A [Request] and a [Stream] must not be used by several
// goroutines, except [Stream].Heartbeat.
package transform
