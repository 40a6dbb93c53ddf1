// Package geminitest gives a test its own fake Gemini server. It wraps package fakegemini.
// The server closes itself at the end of the test, and failures point at the line of the test.
//
//	srv := geminitest.NewServer(t)
//	reply, err := http.Post(srv.URL()+"/v1beta/models/gemini-3.6-flash:generateContent?key=any", "application/json", body)
//
// Package fakegemini documents the behaviour of the server. This package also has its blocks,
// faults, matchers and options, so that a test imports one package. A program that is not a test
// imports only fakegemini.
//
// # Scripts
//
// A script is a list of fixtures. Each fixture matches requests by the arguments of [On], and
// answers with blocks in the order of the answer: texts, calls, media, pauses and faults.
//
//	srv := geminitest.NewServer(t, geminitest.WithScript(
//		geminitest.On(geminitest.Prompt("weather")).Reply(geminitest.Call("get_weather", `{"city": "Porto"}`)),
//		geminitest.On(geminitest.ToolResult("get_weather")).Reply(geminitest.Text("It has 21 degrees in Porto.")),
//	))
//
// docs/testing.md lists all matchers, blocks and faults. [Server.AssertCalled] and similar methods
// check the received requests.
//
// # Payloads without a server
//
// [CheckRequest], [CheckResponse] and [CheckStream] check a payload of a test against the rules of
// the API. They fail with the location and what would be right.
package geminitest
