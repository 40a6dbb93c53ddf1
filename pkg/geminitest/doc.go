// Package geminitest gives a test a Gemini server of its own: package fakegemini over [testing.TB].
// The server closes itself at the end of the test, and failures point at the line of the test.
//
//	srv := geminitest.NewServer(t)
//	reply, err := http.Post(srv.URL()+"/v1beta/models/gemini-3.6-flash:generateContent?key=any", "application/json", body)
//
// Package fakegemini says what the server takes, refuses and answers. Its blocks, faults, matchers
// and options have their names here too, so that a test imports one package. A program that is not
// a test imports fakegemini alone.
//
// # Scripts
//
// A script is a list of fixtures. Each matches requests by what [On] takes, and answers with
// blocks: texts, calls and media, in the order and the pieces in which they come, pauses, and
// faults where they strike.
//
//	srv := geminitest.NewServer(t, geminitest.WithScript(
//		geminitest.On(geminitest.Prompt("weather")).Reply(geminitest.Call("get_weather", `{"city": "Porto"}`)),
//		geminitest.On(geminitest.ToolResult("get_weather")).Reply(geminitest.Text("It has 21 degrees in Porto.")),
//	))
//
// docs/testing.md has all matchers, blocks and faults in tables. [Server.AssertCalled] and the
// methods like it fail the test by the requests that came.
//
// # Payloads without a server
//
// [CheckRequest], [CheckResponse] and [CheckStream] compare a payload of a test with what the API
// takes and gives. They fail with the place and what would be right.
package geminitest
