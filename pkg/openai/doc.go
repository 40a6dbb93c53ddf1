// Package openai reads and writes the wire of OpenAI's chat_completions: completions, their chunks,
// requests and errors, as bodies and as streams. It converts nothing; package transform/chat does.
//
//	completion, err := openai.DecodeResponse(body)
//	...
//	for chunk, err := range openai.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps members and names that it does not know, and reads what clients are known to get
// wrong; the functions say what. Encoding is canonical: equal bytes for equal values. The Validate
// functions hold a payload to what OpenAI's description promises; decoding does not.
//
// A request is a literal of the generated type; what would be long or a guess in it has a function:
//
//	request := &openaiapi.CreateChatCompletionRequest{
//		Model:    "gemini-3.6-flash",
//		Messages: []openaiapi.ChatMessage{openai.UserText("What is the weather in Porto?")},
//		Tools:    []openaiapi.Tool{openai.FunctionTool("get_weather", "The weather in a city.", schema)},
//	}
//
// [AssistantTurn] and [ToolMessage] continue a conversation, [Text] reads an answer.
//
// Errors have the types of package wire: decoding returns a *[wire.MalformedError], encoding an
// *[wire.EncodeError], and a [StreamReader] a *[wire.StreamError], which wraps [wire.ErrTruncated],
// [wire.ErrEventTooLarge] or [wire.ErrSecondStream]. An error that the server reports is an
// *[Error].
//
// All functions are safe for concurrent use; a [StreamReader] and a [StreamWriter] belong to one
// goroutine.
package openai
