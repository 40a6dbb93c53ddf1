// Package responses reads and writes the wire of OpenAI's Responses API: requests, responses, pages
// of items, counts of tokens and errors, and the events of a stream. It converts nothing; package
// transform/responses does.
//
//	response, err := responses.DecodeResponse(body)
//	...
//	for event, err := range responses.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps members, types and names that it does not know; the functions say what else they
// take. Encoding is canonical: equal bytes for equal values. The Validate functions hold a payload
// to what OpenAI's description and its clients expect; decoding does not. A [Sequence] does so for
// the events of a stream together, and an [Accumulator] makes the response of them as OpenAI's
// clients do.
//
// A request is a literal of the generated type; what would be long or a guess in it has a function:
//
//	request := &openaiapi.CreateResponseRequest{
//		Model: new("gemini-3.6-flash"),
//		Input: responses.Input(responses.UserText("What is the weather in Porto?")),
//		Tools: []openaiapi.ResponseTool{responses.FunctionTool("get_weather", "The weather in a city.", schema)},
//	}
//
// The output of a response is a part of the next input as it is, with the results of its calls
// behind it; see [FunctionCallOutput]. [Text] reads an answer.
//
// Errors have the types of package wire: decoding returns a *[wire.MalformedError], encoding an
// *[wire.EncodeError], and a [StreamReader] a *[wire.StreamError], which wraps [wire.ErrTruncated],
// [wire.ErrEventTooLarge] or [wire.ErrSecondStream]. An error that the server reports is an
// *[Error].
//
// All functions are safe for concurrent use; a [StreamReader], a [StreamWriter], a [Sequence] and
// an [Accumulator] belong to one goroutine.
package responses
