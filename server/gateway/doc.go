// Package gateway is an [http.Handler] that lets clients of OpenAI's, Anthropic's and Google's APIs
// use Gemini.
//
//	handler, err := gateway.New()
//	if err != nil { ... }
//	defer handler.Close()
//	err = http.ListenAndServe("127.0.0.1:8080", handler)
//
// Without options the fake server of package fakegemini answers, which needs no key. [WithUpstream]
// selects the real one.
//
// # What it serves
//
// The gateway serves these paths, and answers every other path with 404 in OpenAI's error envelope,
// because clients retry a 501:
//
//   - POST /v1/chat/completions and /v1/responses, whole and streamed
//   - GET /v1/responses with an upgrade to WebSocket
//   - stored responses and conversations, with [WithResponseStore]
//   - POST /v1/messages and /v1/messages/count_tokens
//   - POST /v1/embeddings
//   - GET /v1/models and /v1/models/{id}
//   - Google's own paths (/v1beta/models/M:generateContent, /upload/v1beta/files,
//     /v1/projects/P/...), passed through with the same accounts, limits and observers
//
// # Steps of a request
//
// Each request passes the same steps: the guard against other sites, the client's key, the limits
// and the body. Then the form decodes the request, the route lists the models that may answer, and
// one of these models answers with one of the accounts. Every refusal is a [Problem], which the
// form writes in its API's format.
//
// # Streams
//
// The gateway sends nothing until Gemini's first chunk arrives, or until [WithFirstChunkWait]
// expires. Then the stream begins, and [WithHeartbeat] selects how it is kept alive. A failure
// before the stream begins is an HTTP status. A later failure is the last event. If a client
// disconnects, the gateway cancels the call to Gemini, whole or streamed.
//
// # WebSockets
//
// A WebSocket at /v1/responses carries any number of requests of the Responses API. Each of them
// has the steps, the limits and the log entry of a POST request, with the settings of its time. The
// frames are the data of the stream's events. [Handler.Shutdown] waits for the requests and closes
// the connections, because an [http.Server] does not know them after the upgrade. Middlewares in
// front of the gateway need a method Unwrap.
//
// # Headers
//
//	x-request-id          the id of the request, also for observers
//	x-gemwire-model       the model that answered
//	x-gemwire-losses      how many values of the request and of the answer were not passed on
//	x-gemwire-strict      of a request: true refuses it if anything would be lost
//	x-gemwire-report      of a request: true lists in extra_content.gemwire what was lost, changed and added
package gateway
