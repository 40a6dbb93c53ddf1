// Package chatupstream answers requests of Gemini's API with a server that speaks OpenAI's API. A
// Gemini client that sends its requests through a [Doer] uses that server without any change.
//
//	generateContent, streamGenerateContent   POST /chat/completions
//	embedContent, batchEmbedContents         POST /embeddings
//	models, models/NAME                      GET /models
//	countTokens                              an estimate, or an error that says that there is none
//
// Other methods of Gemini's API are answered with 501 UNIMPLEMENTED. The key is sent in
// Authorization, whatever header it came in. Errors have Gemini's form and details. Response
// headers report the number of losses of a request, and that a token count is an estimate.
package chatupstream
