// Package chatupstream answers requests of Gemini's API by a server that speaks OpenAI's: a client
// of Gemini's that sends by a [Doer] calls that server and does not notice.
//
//	generateContent, streamGenerateContent   POST /chat/completions
//	embedContent, batchEmbedContents         POST /embeddings
//	models, models/NAME                      GET /models
//	countTokens                              an estimate, or an error that says that there is none
//
// What else Gemini's API has is answered 501 UNIMPLEMENTED. The key travels in Authorization,
// whatever header it came in. Errors are Gemini's, with their details. Headers of answers tell the
// losses of a request, and that a count is a guess.
package chatupstream
