// Package gemini is the wire of generateContent, as the Gemini API and Vertex AI speak it: bytes on
// one side, the generated types of package geminiapi on the other; and a client of both.
//
//	response, err := gemini.DecodeResponse(body)
//	if err != nil { ... }
//	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
//
// # Decoding
//
// Decoding accepts whatever Google's servers send or accept, and gives it one form:
//
//   - Member names in camelCase or snake_case, also mixed in one payload. A payload without any
//     snake_case name is held to the exact names, so that a misspelt member stays an unknown one.
//     The two spellings of one member in one object are an error.
//   - null for any member of a known name, which is then absent. Inside free-form values and in
//     unknown members null is data and stays. A null in a list is an empty element.
//   - Enum values in any letter case, and as numbers, or texts of numbers, where the protocol
//     buffers that number them are public. A value that the description does not list is kept.
//   - 40.0, 4e1 and "40" for a whole number; "0.5", "NaN", "Infinity" and "-Infinity" for a number.
//     64-bit integers, which the wire writes as strings, keep the form in which they came.
//   - The only element of a list without the list around it.
//   - Base64 in any alphabet, padded or not: bytes are opaque strings here, and a thought signature
//     or an image comes out exactly as it went in.
//
// Unknown members are kept, in every object, in the field Unknown. Free-form JSON such as the
// arguments of a function call is a [jsontext.Value] with its bytes as they came: order of members,
// escapes and all digits of a number.
//
// Everything else is a *[wire.MalformedError] with a JSON pointer and a byte offset: bytes that are
// not JSON, a payload that is no object, a value of another type, a member that is there twice,
// invalid UTF-8, nesting beyond 10,000 levels, input that ends too early, data after the end. No
// input makes a decoder panic or take more than linear time.
//
// # Encoding
//
// Encoding is strict: camelCase names, enum values by name, no white space, no HTML escapes, equal
// bytes for equal values. A list or object that is present but empty is written, as are zeros: what
// is absent is a nil pointer, slice or map. Decoding a payload and encoding it again loses nothing;
// it changes the spellings above, drops explicit nulls, and sorts the members of maps by name.
//
// Errors of decoding, encoding and reading streams have the types of package wire, which all wires
// share: *[wire.MalformedError], *[wire.EncodeError] and *[wire.StreamError], which wraps
// [wire.ErrTruncated], [wire.ErrEventTooLarge] or [wire.ErrSecondStream].
//
// # Calling
//
// A [Client] sends requests: [Client.GenerateContent] for a whole answer,
// [Client.StreamGenerateContent] for one in pieces, to the Gemini API with a key or to Vertex AI
// with access tokens. It tries again what may succeed later, limits what it waits for and reads,
// follows no redirect, and shows its credentials to nobody else.
//
// # Errors of the API
//
// [DecodeError] turns the body of any unsuccessful reply into an *[Error], with the details that
// Google adds and the time to wait before the next try.
//
// # Requests
//
// A request is a literal of the generated type; what would be long or a guess in it has a function:
//
//	request := &geminiapi.GenerateContentRequest{
//		Contents: []geminiapi.Content{gemini.UserText("What is the weather in Porto?")},
//		Tools:    []geminiapi.Tool{gemini.FunctionTool(declaration)},
//	}
//
// A turn is [UserText], [UserParts] or [ModelText], the answer to a turn with calls [UserResults]
// of several [FunctionResult]. Everything optional is a pointer: new(0.2) makes one.
//
// Package models says what each model takes that others refuse (models.At), and [ValidateRequest]
// checks a request the way the API does, before it is sent: all problems at once, each with its
// place and what would be right.
//
// All functions are safe for concurrent use. A decoded value shares no memory with its input and is
// the caller's; it is safe to read from several goroutines while nobody changes it.
package gemini
