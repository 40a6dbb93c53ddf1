// Package openai reads and writes the wire of OpenAI's chat_completions: completions, their chunks, requests
// and errors, as bodies and as streams. It converts nothing; package transform/openai does.
//
//	completion, err := openai.DecodeResponse(body)
//	...
//	for chunk, err := range openai.NewStreamReader(body).All() {
//		...
//	}
//
// Decoding keeps members and names that it does not know, and reads what clients are known to get wrong;
// the functions say what. Encoding is canonical: equal bytes for equal values. The Validate functions hold
// a payload to what OpenAI's description promises; decoding does not.
//
// All functions are safe for concurrent use; a [StreamReader] and a [StreamWriter] belong to one goroutine.
package openai
