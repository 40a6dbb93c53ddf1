// Package inspector shows what a gateway did to each request, on one page: the OpenAI and the
// Gemini JSON side by side, what the conversions lost and where, the chunks of both sides on one
// time axis, what became of each thought signature, attempts, tokens and cost. From the page a
// request can be replayed, edited or not, copied as curl in either dialect, saved as a script for
// package fakegemini, or exported as HAR.
//
//	ins, err := inspector.New(inspector.WithBodies())
//	...
//	observe := gateway.WithObserver(ins)          // what the gateway tells, it keeps
//	go http.Serve(listener, ins.Handler())        // the page and its API
//	fmt.Println(ins.URL(listener.Addr().String())) // opens the page, once
//
// # What is kept
//
// Exchanges are kept in memory, the newest [DefaultMaxExchanges] of them and no more than
// [DefaultMaxBytes]; the oldest go first, also one that still runs. Bodies, chunks and headers are
// kept only where [WithBodies] or the switch on the page says so. Of a body at most
// [DefaultMaxBodySize] bytes are kept, and of a string in it, such as an image in base64, the first
// 8 KiB, so that the rest is still JSON; what was left out is said on the page.
//
// Secrets are removed before anything is kept, on a goroutine that an exchange has while there is
// something to do: header fields and members of a query that hold credentials, the values of
// [WithSecrets] in all spellings of their characters, and what looks like a key or a token of
// Google's. A secret that a model writes in pieces, in several chunks of a stream, is not
// recognised. What a user wrote and a model answered is kept as it is.
//
// # Who may look
//
// The page belongs on loopback. Every route refuses a Host that is not this machine or one of
// [WithAllowedHosts], with 421, which stops DNS rebinding. The page and its API want a session: the
// address that [Inspector.URL] makes opens one, once, and gives the browser a cookie that no script
// reads and no other site sends. What changes something must come from the page itself, as
// application/json. The page has a content security policy with trusted types, and shows what
// models and clients wrote as text alone.
package inspector
