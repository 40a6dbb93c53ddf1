// Package socket serves WebSocket connections with limits. It knows nothing about the messages that
// the connections carry.
//
// A [Conn] has one reader, which is the goroutine that calls [Conn.Serve]. It passes each text
// message to a function, which reads the message and may start work in a lane with [Conn.Go]. Lanes
// work in parallel, and each lane does its work in order. [Conn.Send] may be called by any
// goroutine.
//
//	              Drain while nothing is in flight
//	serving ───────────────────────────────────────────────► closing ──► closed
//	   │  Drain       ┌──────────┐  the last work ends          ▲
//	   ├─────────────►│ draining ├──────────────────────────────┤
//	   │              └──────────┘                              │
//	   ├── a flood, a binary message, an error of the function ─┘
//	   └── the peer closes, or is gone ─────────────────────────────────────► closed
//
// # Limits
//
//   - A peer that accepts no bytes for [Settings.WriteTimeout] is disconnected.
//   - A peer that answers no ping for [Settings.PongWait] is disconnected.
//   - A flood of control frames, of small fragments or of refused messages ends in the close code
//     1008.
//   - A connection is drained after [Settings.Age].
//   - Lanes, work in progress and waiting work have maximums, see [Conn.Go].
//
// Compression is off, because its window takes more memory than an idle connection.
package socket
