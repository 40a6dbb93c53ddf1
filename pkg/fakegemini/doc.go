// Package fakegemini is a fake Gemini server for tests. It accepts and refuses the same requests as
// the real server, in the same words, and answers at once, without a key or a network.
//
//	srv, err := fakegemini.Start()
//	...
//	defer srv.Close()
//	client, err := srv.NewClient() // any other client: srv.URL()
//
// [Start] returns a server on loopback and within the process. [NewHandler] returns an
// [http.Handler] for your own server. Neither needs package testing. Package geminitest has the
// same server for a test; it closes the server and fails the test.
//
// A request takes five steps. The server stores it ([Handler.Requests]), looks for its reply in a
// recording ([WithCassette]), matches it with a script ([WithScript]), checks it like the real
// server, and answers it. Without options there are only the first and the last two steps.
//
// # Scripts
//
// A script is a list of fixtures. Each fixture matches requests by the arguments of [On], and
// answers with blocks in the order of the answer: texts, calls, media, pauses and faults.
//
//	srv, err := fakegemini.Start(fakegemini.WithScript(
//		fakegemini.On(fakegemini.Prompt("weather")).Reply(fakegemini.Call("get_weather", `{"city": "Porto"}`)),
//		fakegemini.On(fakegemini.ToolResult("get_weather")).Reply(fakegemini.Text("It has 21 degrees in Porto.")),
//	))
//
// docs/testing.md lists all matchers, blocks and faults. [Handler.Matching] compares the received
// requests with matchers, and [Handler.Unused] lists the unused fixtures of a script.
//
// # Accepted requests
//
// The server accepts the paths of the Gemini API (/v1beta/models/..., any version, also
// tunedModels), of Vertex AI (/v1/projects/P/locations/L/publishers/google/models/..., endpoints)
// and of its express mode (/v1/publishers/google/models/...). A request needs a key in
// x-goog-api-key or in the address, or a token. Without [WithAPIKeys] any key is valid. Resources
// of a project require a token.
//
// The models are those that the service has on the day of the server's clock. [WithClock] sets the
// day, and [WithModels] adds models. The server refuses any other name with 404. It also refuses a
// model that is shut down or not released yet, and a method that the model does not have. For an
// alias or a routed name, the answer's modelVersion names the model that answers.
//
// The server refuses a request that gemini.ValidateRequest refuses, for the service and the model
// in the path. For models since Gemini 3, it also refuses a thought signature of its own that is
// changed or on another call. Status, message and details are from recordings or public reports,
// down to the index of a property in its map. If Google's words are unknown, the message is
// "Request contains an invalid argument." and a DebugInfo detail says what is wrong. Requests that
// were recorded with an answer are accepted. So the server refuses no signature of the real server,
// and no dummy signature of Google's documentation. [WithoutValidation] turns these checks off.
//
// # Answers
//
// Equal requests get equal answers, with the same ids, whole and in chunks. Without a script, the
// answer is the first of these that the request asks for:
//
//   - calls, if the prompt names declared functions: "get_weather" with arguments that satisfy its
//     schema, or with the arguments after the name, as in get_weather {"city":"Porto"}. Several
//     names are parallel calls. After the word "then", names belong to the next step, which follows
//     the results. The mode ANY always calls a function, NONE never
//   - an image (PNG, 8 by 8) or speech (PCM, a tenth of a second), by responseModalities
//   - JSON that satisfies responseSchema or responseJsonSchema, or a value of an enum. A value that
//     would need more than 10,000 values within it is cut off
//   - the results of functions, quoted
//   - the user's text: "You said: hello"
//
// Answers also have thoughts (thinkingConfig.includeThoughts), and thought signatures and call ids
// as each generation of models has them. They have code and its result, grounding, fetched pages,
// log probabilities and several candidates if the request asks for them. They respect
// maxOutputTokens and stopSequences, and their token counts add up. Vertex AI streams arguments in
// pieces to clients that ask for it.
//
// These words in a prompt control the server, in any letter case:
//
//   - [block prompt] or [block prompt: OTHER] refuses the prompt
//   - [block answer] or [block answer: RECITATION] ends the answer without content
//   - [words 200] answers with a text of 200 words
//
// A token is a word, or 8 bytes of a longer word, or another character; an image is 258 tokens.
//
// # Stored resources
//
// Files, cached contents and batches are kept in the memory of each server. They expire like real
// ones: in a bubble of testing/synctest two days pass at once. The server refuses requests that
// name a missing resource. Uploads may be resumed. Files that the server made, such as the results
// of a batch, can be downloaded after a redirect. The server answers a batch when a client asks for
// it, see [WithBatchTime], so nothing runs in the background. A script answers the requests in a
// batch that it matches.
//
// Vectors are made from words: contents with common words are close to each other, so a search
// finds what it should. As with the real models, cut vectors of gemini-embedding-001 do not have
// length 1.
package fakegemini
