// Package gateway serves Gemini to clients of other APIs: an [http.Handler] that any OpenAI client
// can be pointed at, and Google's own too.
//
//	handler, err := gateway.New()
//	if err != nil { ... }
//	defer handler.Close()
//	err = http.ListenAndServe("127.0.0.1:8080", handler)
//
// Without options it answers by the fake server of package fakegemini, which needs no key.
// [WithUpstream] names the real one.
//
// # What it serves
//
// POST /v1/chat/completions and /v1/responses, whole and streamed; with [WithResponseStore] also
// what the Responses API keeps, and conversations; POST /v1/messages and /v1/messages/count_tokens;
// POST /v1/embeddings; GET /v1/models and /v1/models/{id}; and Google's own paths
// (/v1beta/models/M:generateContent, /upload/v1beta/files, /v1/projects/P/...), passed through with
// the same accounts, limits and observers. Everything else is 404 in OpenAI's envelope: clients
// retry 501.
//
// # What a request passes
//
// Each request passes the same steps: the guard against other sites, the client's key, limits, the
// body. Then its form reads it, the route names the models that may answer, and one of them does,
// by one of the accounts. Every kind of refusal is a [Problem], which the form writes in its own
// terms.
//
// # Streams
//
// Nothing is sent before the first chunk of Gemini's is there, unless that takes longer than
// [WithFirstChunkWait]; then the stream begins, and [WithHeartbeat] says how it is kept alive. What
// fails before is an HTTP status, what fails after is the last event. A client that leaves ends the
// call of Gemini, whole or streamed.
//
// # Headers
//
//	x-request-id          the id of the request, also for observers
//	x-gemwire-model       the model that was called
//	x-gemwire-losses      how many values of the request Gemini is not told, and of the answer the client is not
//	x-gemwire-strict      of a request: true refuses it where anything would be lost
//	x-gemwire-report      of a request: true lists in extra_content.gemwire what was lost, changed and added
package gateway
