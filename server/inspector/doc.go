// Package inspector shows on one page what a gateway did with each request. It shows the OpenAI and
// the Gemini JSON side by side, the losses of the conversions and their locations, the chunks of
// both sides on one time axis, the thought signatures, attempts, tokens and cost. On the page a
// user can replay a request, edited or not, copy it as curl in either API, save it as a script for
// package fakegemini, or export it as HAR.
//
//	ins, err := inspector.New(inspector.WithBodies())
//	...
//	observe := gateway.WithObserver(ins)          // records what the gateway reports
//	go http.Serve(listener, ins.Handler())        // the page and its API
//	fmt.Println(ins.URL(listener.Addr().String())) // opens the page, once
//
// # What is recorded
//
// Exchanges are held in memory, the newest [DefaultMaxExchanges] of them and at most
// [DefaultMaxBytes]. The oldest are dropped first, even if they still run; pinned ones stay. Of a
// bulk job at most 200 ended lines are held, the failed ones longest. With [WithFolder] exchanges
// and sessions survive a restart. Bodies, chunks and headers are recorded only with [WithBodies] or
// the switch on the page. At most [DefaultMaxBodySize] bytes of a body are recorded. Pictures,
// sound and PDF that bodies have as base64 are held once by their hash, and do not count. The page
// shows how much was left out.
//
// Secrets are removed before anything is recorded, on a goroutine that an exchange has while there
// is work. Secrets are header fields and query parameters with credentials, the values of
// [WithSecrets] in all spellings of their characters, and everything that looks like a Google key
// or token. A secret that a model writes in pieces, across several chunks of a stream, is not
// recognised. The texts of users and models are recorded unchanged.
//
// # Access
//
// The page belongs on a loopback address. Every route refuses a Host that is neither this machine
// nor one of [WithAllowedHosts], with 421, which stops DNS rebinding. The page and its API require
// a session. The link from [Inspector.URL] opens one session, once, and gives the browser a cookie
// that scripts cannot read and other sites cannot send. Requests that change something must come
// from the page itself, as application/json. The page has a content security policy with trusted
// types, and shows what models and clients wrote as text only.
package inspector
