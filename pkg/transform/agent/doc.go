// Package agent turns the events of an agent that runs in a sandbox, such as the one behind
// giselle-provider, into AI SDK stream parts. The agent prints its events as JSON objects, mostly
// one to a line; [MapNDJSON] turns those bytes into parts as they arrive:
//
//	for part, err := range agent.MapNDJSON(body) {
//		if err != nil {
//			return err
//		}
//		if err := aisdk.WritePart(out, part); err != nil {
//			return err
//		}
//	}
//
// [Stream] is the same with what a host of such an agent needs besides the parts: the session data,
// the request that the agent waits for, and to go on with the stream after the answer to it. Below
// it are its layers, each of use alone:
//
//   - [ExtractJSONObjects] cuts the objects out of a buffer,
//   - [MapNDJSONEvent] and [FinishStream] map one event with the state of a [MapperContext].
//
// The stream of parts keeps these promises: each text block has a start, any number of deltas and
// one end, all by the same id, and blocks do not overlap; there is one finish, and it is the last
// part. Objects that are not JSON and events that have no part are left out, never silently:
// [Stream.Report] lists them with their byte offsets, and [Result] for each event. An input that
// ends within an event, or in which nothing is one, ends the stream with an error part and an
// *[InputError].
package agent
