// Package geminitest is a Gemini server that runs in a test: it takes what the real one takes, refuses what that
// refuses in the same words, and answers at once, without a key or a network.
//
//	srv := geminitest.NewServer(t)
//	reply, err := http.Post(srv.URL()+"/v1beta/models/gemini-2.5-flash:generateContent?key=any", "application/json", body)
//
// A request passes rooms that do not know one another: it is written down ([Handler.Requests]), replayed or recorded,
// answered by a script, checked as the real server does, and answered. Without options there are only the first and
// the last two.
package geminitest
