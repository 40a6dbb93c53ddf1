// Package exchange defines what an observer of a gateway learns about each request: the client, the
// requests and responses of both sides, times, cost and losses. The gateway reports an exchange
// while it happens. Logs, metrics and the inspector are observers.
//
//	type counter struct{ requests atomic.Int64 }
//
//	func (c *counter) Begin(exchange.Start) exchange.Recorder {
//		c.requests.Add(1)
//		return nil
//	}
//
// An exchange has two sides. The client's side is the conversation between client and gateway, in
// the client's form. The upstream's side is the conversation between gateway and Gemini. If another
// server answers instead of Gemini, there is a third side between them. A side has a request and a
// response, and the response of a stream arrives in chunks. The upstream's side happens once for
// each attempt.
package exchange
