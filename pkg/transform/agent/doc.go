// Package agent converts the events of an agent in a sandbox, such as giselle-provider's, to AI SDK
// stream parts. The agent prints its events as JSON objects, mostly one per line. [MapNDJSON]
// converts them to parts as they arrive:
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
// [Stream] does the same for hosts of such an agent. It also has the session data and the request
// that the agent waits for, and it continues the stream after the answer. Each layer below it can
// be used alone:
//
//   - [ExtractJSONObjects] cuts the objects out of a buffer,
//   - [MapNDJSONEvent] and [FinishStream] map one event with the state of a [MapperContext].
//
// The stream of parts has these guarantees. Each text block has a start, any number of deltas and
// one end, all with the same id, and blocks do not overlap. There is one finish, and it is the last
// part.
//
// Objects that are not JSON and events without a part are omitted and reported. [Stream.Report]
// lists them with their byte offsets, and [Result] for each event. The stream ends with an error
// part and an *[InputError] if the input ends within an event, or if nothing in it is an event.
package agent
