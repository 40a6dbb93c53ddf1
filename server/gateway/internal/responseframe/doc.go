// Package responseframe reads and writes the frames of OpenAI's Responses API by WebSocket.
//
// A frame is one JSON text. The frames of a response are the data of its server-sent events,
// unchanged. A request is the body of a POST with the additional member "type":"response.create".
// An error before the first event is a frame of its own form.
//
// Requests that name a stream_id are in a lane of that name. The events of such a request have the
// member too, and no other events have it.
package responseframe
