// Package responses reads and writes the JSON of OpenAI's Responses API: requests, responses, pages
// of items, token counts and errors, and the events of a stream. To convert them to Gemini's
// format, use package transform/responses.
//
//	response, err := responses.DecodeResponse(body)
//	...
//	for event, err := range responses.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps unknown members, types and names; each function documents what else it accepts.
// Encoding is canonical: equal bytes for equal values. The Validate functions check a payload
// against OpenAI's description and the needs of its clients; decoding does not. A [Sequence] checks
// the events of a stream together, and an [Accumulator] builds a response from them, like OpenAI's
// clients.
//
// A request is a literal of the generated type. Functions make the parts that are long or easy to
// get wrong:
//
//	request := &openaiapi.CreateResponseRequest{
//		Model: new("gemini-3.6-flash"),
//		Input: responses.Input(responses.UserText("What is the weather in Porto?")),
//		Tools: []openaiapi.ResponseTool{responses.FunctionTool("get_weather", "The weather in a city.", schema)},
//	}
//
// The next input includes the unchanged output of a response, followed by the results of its calls;
// see [FunctionCallOutput]. [Text] reads an answer.
//
// Errors have the types of package wire. Decoding returns a *[wire.MalformedError], encoding an
// *[wire.EncodeError], and a [StreamReader] a *[wire.StreamError]. The last one wraps
// [wire.ErrTruncated], [wire.ErrEventTooLarge] or [wire.ErrSecondStream]. An error that the server
// reports is an *[Error].
//
// All functions are safe for concurrent use. A [StreamReader], [StreamWriter], [Sequence] or
// [Accumulator] must be used by one goroutine.
package responses
