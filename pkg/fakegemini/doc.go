// Package fakegemini is a Gemini server within a program: it takes what the real one takes, refuses
// what that refuses in the same words, and answers at once, without a key or a network.
//
//	srv, err := fakegemini.Start()
//	...
//	defer srv.Close()
//	client, err := srv.NewClient() // any other client: srv.URL()
//
// [Start] returns a server on loopback and within the process, [NewHandler] an [http.Handler] for a
// server of the caller's own. Neither needs package testing. Package geminitest is the same server
// for a test, which it closes and fails.
//
// A request takes five steps: the server keeps it ([Handler.Requests]), looks for its reply in a
// recording ([WithCassette]), matches it with a script ([WithScript]), checks it as the real server
// does, and answers it. Without options there are only the first step and the last two.
//
// # Scripts
//
// A script is a list of fixtures. Each matches requests by what [On] takes, and answers with
// blocks: texts, calls and media, in the order and the pieces in which they come, pauses, and
// faults where they strike.
//
//	srv, err := fakegemini.Start(fakegemini.WithScript(
//		fakegemini.On(fakegemini.Prompt("weather")).Reply(fakegemini.Call("get_weather", `{"city": "Porto"}`)),
//		fakegemini.On(fakegemini.ToolResult("get_weather")).Reply(fakegemini.Text("It has 21 degrees in Porto.")),
//	))
//
// docs/testing.md has all matchers, blocks and faults in tables. [Handler.Matching] compares the
// requests that came with matchers, and [Handler.Unused] lists what of a script was not asked for.
//
// # What it takes
//
// The paths of the Gemini API (/v1beta/models/..., any version, also tunedModels), of Vertex AI
// (/v1/projects/P/locations/L/publishers/google/models/..., endpoints) and of its express mode
// (/v1/publishers/google/models/...). A key in x-goog-api-key or in the address, or a token; any
// will do without [WithAPIKeys]. A token is wanted for what belongs to a project.
//
// The models are those that the service has on the day of the server's clock: [WithClock] sets the
// day, and [WithModels] adds models. Any other name is refused with 404, as are a model that is
// shut down or not released yet and a method that the model does not have. An answer's modelVersion
// names the model that answers for an alias or a routed name.
//
// A request is refused when gemini.ValidateRequest finds fault with it, for the service and the
// model in the path, and when a thought signature of its own comes back changed or on another call
// to a model since Gemini 3. Status, message and details are those that were recorded or reported
// in public, down to the index of a property in its map; where Google's words are unknown, the
// message is "Request contains an invalid argument." and a DebugInfo detail says what is wrong.
// What was recorded as answered is accepted: no signature of the real server is refused, and
// neither are the dummies of Google's documentation. [WithoutValidation] turns this off.
//
// # What it answers
//
// Equal requests have equal answers, with the same ids, whole and in chunks. Without a script an
// answer is the first of these that the request asks for:
//
//   - calls, when the prompt names declared functions: "get_weather" with arguments that satisfy
//     its schema, or with those behind it, as in get_weather {"city":"Porto"}. Several names are
//     parallel calls; the word "then" between them makes what follows the next step, when results
//     have come back. With the mode ANY a function is called in any case, with NONE never
//   - an image (PNG, 8 by 8) or speech (PCM, a tenth of a second), by responseModalities
//   - JSON that satisfies responseSchema or responseJsonSchema, or a value of an enum. A value that
//     would need more than 10,000 values within it is cut off
//   - the results of functions, quoted
//   - what the user said: "You said: hello"
//
// Around it are thoughts (thinkingConfig.includeThoughts), thought signatures and ids of calls
// where each generation of models has them, code and its result, grounding, pages that were read,
// log probabilities, several candidates, maxOutputTokens and stopSequences, and counts that add up.
// Vertex AI streams arguments in pieces to who asks for it.
//
// These words in a prompt are for the server itself, in any letter case:
//
//   - [block prompt] or [block prompt: OTHER] has the prompt refused
//   - [block answer] or [block answer: RECITATION] ends the answer without content
//   - [words 200] has a text of so many words answered
//
// A token is a word, or 8 bytes of it, or another character; an image is 258.
//
// # What lies at the server
//
// Files, cached contents and batches are kept in memory, each server's for itself, and expire as
// the real ones do: in a bubble of testing/synctest two days pass at once. Requests are refused
// that name one which is not there. Uploads may be resumed; files that the server made, as the
// results of a batch are, can be downloaded after a redirect. A batch is answered when it is asked
// for, see [WithBatchTime], so that nothing runs in the background; a script answers those of its
// requests that it matches.
//
// Vectors are made of words: contents that have words in common lie near each other, so that a
// search finds what it should. As with the real models those of gemini-embedding-001 are no longer
// of length 1 when they are cut.
package fakegemini
