// Package geminitest is a Gemini server that runs in a test: it takes what the real one takes, refuses what that
// refuses in the same words, and answers at once, without a key or a network.
//
//	srv := geminitest.NewServer(t)
//	reply, err := http.Post(srv.URL()+"/v1beta/models/gemini-2.5-flash:generateContent?key=any", "application/json", body)
//
// A request passes rooms that do not know one another: it is written down ([Handler.Requests]), replayed or recorded
// ([WithCassette]), matched with a script ([WithScript]), checked as the real server does, and answered. Without
// options there are only the first and the last two.
//
// # Scripts
//
// A script is a list of fixtures. Each matches requests by what [On] takes, and answers with blocks: texts, calls and
// media, in the order and the pieces in which they come, pauses, and faults where they strike.
//
//	srv := geminitest.NewServer(t, geminitest.WithScript(
//		geminitest.On(geminitest.Prompt("weather")).Reply(geminitest.Call("get_weather", `{"city": "Porto"}`)),
//		geminitest.On(geminitest.ToolResult("get_weather")).Reply(geminitest.Text("It has 21 degrees in Porto.")),
//	))
//
// docs/testing.md has all matchers, blocks and faults in tables.
//
// # What lies at the server
//
// Files, cached contents and batches are kept in memory, each server's for itself, and expire as the real ones do: in
// a bubble of testing/synctest two days pass at once. Requests are refused that name one which is not there. Uploads
// may be resumed; files that the server made, as the results of a batch are, can be downloaded, behind a redirect.
// A batch is answered when it is asked for, see [WithBatchTime], so that nothing runs in the background.
//
// Vectors are made of words: contents that have words in common lie near each other, so that a search finds what it
// should. As with the real models those of gemini-embedding-001 are no longer of length 1 when they are cut.
package geminitest
