// Package gemini is a client for generateContent of the Gemini API and Vertex AI, and a codec that
// converts between its JSON and the generated types of package geminiapi.
//
//	response, err := gemini.DecodeResponse(body)
//	if err != nil { ... }
//	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
//
// # Decoding
//
// Decoding accepts everything that Google's servers send or accept, and converts it to one form:
//
//   - Member names in camelCase or snake_case, also mixed in one payload. In a payload without any
//     snake_case name, only exact names match, so a misspelt member stays unknown. The two
//     spellings of one member in one object are an error.
//   - null for any known member, which is then absent. In free-form values and unknown members,
//     null is data and is kept. A null in a list is an empty element.
//   - Enum values in any letter case. Numbers and numeric strings too, if the protocol buffers
//     that number them are public. A value that the description does not list is kept.
//   - 40.0, 4e1 and "40" for a whole number; "0.5", "NaN", "Infinity" and "-Infinity" for a number.
//     64-bit integers, which the wire writes as strings, keep their form.
//   - The only element of a list, without the list.
//   - Base64 in any alphabet, padded or not. Bytes are opaque strings here, so a thought signature
//     or an image is encoded exactly as it was received.
//
// Unknown members are kept, in every object, in the field Unknown. Free-form JSON such as the
// arguments of a function call is a [jsontext.Value]. It keeps its bytes: the order of members,
// escapes and all digits of a number.
//
// All other input is a *[wire.MalformedError] with a JSON pointer and a byte offset. Examples are
// bytes that are not JSON, a payload that is not an object, a value of another type, a duplicate
// member, invalid UTF-8, nesting beyond 10,000 levels, truncated input and data after the end.
// Decoders never panic and take at most linear time.
//
// # Encoding
//
// Encoding is strict: camelCase names, enum values by name, no white space, no HTML escapes, equal
// bytes for equal values. Empty lists, empty objects and zeros are written; an absent member is a
// nil pointer, slice or map. Decoding and encoding a payload loses nothing. It changes the
// spellings above, drops explicit nulls, and sorts the members of maps by name.
//
// Errors of decoding, encoding and reading streams have the types of package wire, which all wire
// formats share: *[wire.MalformedError], *[wire.EncodeError] and *[wire.StreamError]. The last one
// wraps [wire.ErrTruncated], [wire.ErrEventTooLarge] or [wire.ErrSecondStream].
//
// # Calling
//
// A [Client] sends requests to the Gemini API with a key, or to Vertex AI with access tokens:
// [Client.GenerateContent] for a whole answer, [Client.StreamGenerateContent] for a stream. It
// retries calls that may succeed later, limits waits and sizes, and follows no redirect. It sends
// its credentials to no other server.
//
// # Errors of the API
//
// [DecodeError] converts the body of any unsuccessful reply to an *[Error], with the details that
// Google adds and the time to wait before a retry.
//
// # Requests
//
// A request is a literal of the generated type. Functions make the parts that are long or easy to
// get wrong:
//
//	request := &geminiapi.GenerateContentRequest{
//		Contents: []geminiapi.Content{gemini.UserText("What is the weather in Porto?")},
//		Tools:    []geminiapi.Tool{gemini.FunctionTool(declaration)},
//	}
//
// [UserText], [UserParts] and [ModelText] make turns. [UserResults] answers a turn with calls; it
// takes several [FunctionResult]. Optional members are pointers: new(0.2) makes one.
//
// Package models describes what each model accepts (models.At). [ValidateRequest] checks a request
// like the API does, before it is sent. It reports all problems at once, each with its location and
// what would be right.
//
// All functions are safe for concurrent use. A decoded value shares no memory with its input and
// belongs to the caller. Several goroutines may read it while no goroutine changes it.
package gemini
