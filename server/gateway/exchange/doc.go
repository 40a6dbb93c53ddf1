// Package exchange describes one request that a gateway serves, from the client's bytes to Gemini's
// and back: who asked, what was sent, what came, when, at what cost, and what was lost. The gateway
// tells it as it happens; logs, metrics and the inspector listen.
//
//	type counter struct{ requests atomic.Int64 }
//
//	func (c *counter) Begin(exchange.Start) exchange.Recorder {
//		c.requests.Add(1)
//		return nil
//	}
//
// An exchange has two sides, and a third between them where what answers is not Gemini. The
// client's side is what the client and the gateway say to each other, in the client's form; the
// upstream's is what the gateway and Gemini say. A side has a request and a response, and the
// response of a stream comes in chunks. The upstream's side happens once for each attempt.
package exchange
