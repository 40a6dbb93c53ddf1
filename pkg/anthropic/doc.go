// Package anthropic reads and writes the JSON of Anthropic's Messages API: requests, messages,
// token counts, model lists and errors, and the events of a stream. It supports both versions that
// are served, 2023-06-01 and 2026-10-21. To convert them to Gemini's format, use package
// transform/messages.
//
//	message, err := anthropic.DecodeResponse(body)
//	...
//	for event, err := range anthropic.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps unknown members and names; each function documents what else it accepts. Encoding
// is canonical: equal bytes for equal values. The Validate functions check a payload against
// Anthropic's documentation and the needs of its clients; decoding does not. A [Sequence] checks
// the events of a stream together, and an [Accumulator] builds a message from them, like
// Anthropic's clients.
//
// A request is a literal of the generated type. Functions make the parts that are long or easy to
// get wrong:
//
//	request := &anthropicapi.CreateMessageRequest{
//		Model:     "gemini-3.6-flash",
//		MaxTokens: new(1024),
//		Messages:  []anthropicapi.InputMessage{anthropic.UserText("What is the weather in Porto?")},
//		Tools:     []anthropicapi.Tool{anthropic.FunctionTool("get_weather", "The weather in a city.", schema)},
//	}
//
// [AssistantTurn] and [ToolResult] continue a conversation, [Text] reads an answer.
//
// Errors have the types of package wire. Decoding returns a *[wire.MalformedError], encoding an
// *[wire.EncodeError], and a [StreamReader] a *[wire.StreamError]. The last one wraps
// [wire.ErrTruncated], [wire.ErrEventTooLarge] or [wire.ErrSecondStream]. An error that the server
// reports is an *[Error].
//
// All functions are safe for concurrent use. A [StreamReader], [StreamWriter], [Sequence] or
// [Accumulator] must be used by one goroutine.
package anthropic
