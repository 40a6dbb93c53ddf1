// Package anthropic reads and writes the wire of Anthropic's Messages API: requests, messages,
// counts of tokens, lists of models and errors, and the events of a stream, in both versions that
// are served, 2023-06-01 and 2026-10-21. It converts nothing; package transform/messages does.
//
//	message, err := anthropic.DecodeResponse(body)
//	...
//	for event, err := range anthropic.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps members and names that it does not know; the functions say what else they take.
// Encoding is canonical: equal bytes for equal values. The Validate functions hold a payload to
// what Anthropic's documentation and its clients promise or expect; decoding does not. A [Sequence]
// does so for the events of a stream together, and an [Accumulator] makes the message of them as
// Anthropic's clients do.
//
// A request is a literal of the generated type; what would be long or a guess in it has a function:
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
// Errors have the types of package wire: decoding returns a *[wire.MalformedError], encoding an
// *[wire.EncodeError], and a [StreamReader] a *[wire.StreamError], which wraps [wire.ErrTruncated],
// [wire.ErrEventTooLarge] or [wire.ErrSecondStream]. An error that the server reports is an
// *[Error].
//
// All functions are safe for concurrent use; a [StreamReader], a [StreamWriter], a [Sequence] and
// an [Accumulator] belong to one goroutine.
package anthropic
