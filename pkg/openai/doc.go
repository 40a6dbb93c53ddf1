// Package openai reads and writes the JSON of OpenAI's chat completions API: completions, their
// chunks, requests and errors, as bodies and as streams. To convert them to Gemini's format, use
// package transform/chat.
//
//	completion, err := openai.DecodeResponse(body)
//	...
//	for chunk, err := range openai.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps unknown members and names, and accepts common mistakes of clients; each function
// documents them. Encoding is canonical: equal bytes for equal values. The Validate functions check
// a payload against OpenAI's description; decoding does not.
//
// A request is a literal of the generated type. Functions make the parts that are long or easy to
// get wrong:
//
//	request := &openaiapi.CreateChatCompletionRequest{
//		Model:    "gemini-3.6-flash",
//		Messages: []openaiapi.ChatMessage{openai.UserText("What is the weather in Porto?")},
//		Tools:    []openaiapi.Tool{openai.FunctionTool("get_weather", "The weather in a city.", schema)},
//	}
//
// [AssistantTurn] and [ToolMessage] continue a conversation, [Text] reads an answer.
//
// Errors have the types of package wire. Decoding returns a *[wire.MalformedError], encoding an
// *[wire.EncodeError], and a [StreamReader] a *[wire.StreamError]. The last one wraps
// [wire.ErrTruncated], [wire.ErrEventTooLarge] or [wire.ErrSecondStream]. An error that the server
// reports is an *[Error].
//
// All functions are safe for concurrent use. A [StreamReader] or [StreamWriter] must be used by one
// goroutine.
package openai
