// Package dialogue shows an exchange as a conversation: messages with parts, and the answer put
// together from the chunks of a stream. Each part has its locations in Gemini's document and in the
// client's document.
//
//	view := dialogue.Of(&dialogue.Exchange{Gemini: dialogue.Documents{Request: request, Chunks: chunks}})
//	fmt.Println(view.Preview(), view.AnswerText())
//
// The documents are recorded bodies, which may be shortened, truncated or hostile. The package does
// not panic on them. A document that it cannot read has a note in the view.
//
// [Keys] identify a conversation by its messages, so that exchanges of one conversation are found
// without an id.
package dialogue
