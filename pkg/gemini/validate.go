package gemini

import (
	"bytes"
	"errors"
	"io"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/gemini/internal/answercheck"
	"github.com/gemwire/gemwire/pkg/gemini/internal/requestcheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

// ValidateRequest checks a request like the API does, before it is sent. It returns nil or a
// *[validation.Error] with all problems at once. Each problem has its location and says what would
// be right. The check stops at 1,000 problems. First come the order of the turns and rules that
// span several members, then each member in the order of the description.
//
// A problem is only what a backend is known to refuse with HTTP 400: by its own description, by
// recorded replies or by public reports. The check cannot see what is not in a request: keys,
// quotas, regions, the number of tokens, missing files and caches. So a valid request can still
// fail. A request that the API is known to accept is never refused, nor one about which nothing is
// known.
//
// The check covers
//
//   - turns: at least one turn; each has parts and a known role; no part holds two kinds of data;
//     media have bytes and a type; arguments and results are objects
//   - calls: the first comes after a user turn; the next user turn answers each call once, or none
//     of them. Models that require it: calls of the current turn have signatures, and the last
//     turn is the user's
//   - tools: functions have unique names; allowed functions are declared and fit their mode;
//     functions are not combined with anything that the model refuses together with them; none of
//     this is combined with cachedContent
//   - schemas: a Schema has only the members that the backends read, at any depth, and only those
//     that fit its type
//   - configuration: numbers are in range; thinking is set as the model accepts it; the answer has
//     one schema with a matching MIME type
//   - everything: no unknown members, no unknown values of enums, no members of the other backend
//
// In a turn of the model, unknown members, unknown values and parts of an unknown kind are not
// problems. A program sends the API's answers back unchanged, also when the API adds new members.
//
// The names of the rules are required, oneof, format, json_object, type, range, max, unique,
// one_member (set one of several members), excluded (by another member), needs (another member),
// declared (a name refers to something), turns, answers (calls and answers pair), signature,
// unknown (members that the API does not have), backend and model (what only another backend or
// model accepts).
//
// Without [ForModel] and without a model in the request, only rules of all models apply. Without
// [ForVertexAI] and [ForGeminiAPI], only rules of both services apply.
//
// ValidateRequest does not change the request. Other goroutines may read the request at the same
// time.
func ValidateRequest(r *geminiapi.GenerateContentRequest, opts ...ValidateOption) error {
	if r == nil {
		r = &geminiapi.GenerateContentRequest{}
	}
	var target requestcheck.Target
	option.Apply(&target, opts)
	found := requestcheck.Check(r, target)
	if len(found) == 0 {
		return nil
	}
	return &validation.Error{Prefix: "gemini", Violations: found}
}

// CheckRequest returns the error with which [Client.GenerateContent] and
// [Client.StreamGenerateContent] would refuse a request before they encode it, with the same
// options. An example is [ErrModelRequired]. It returns nil for any other request. It sends
// nothing, requests no token and encodes nothing, so a large request takes no longer. A value that
// is not JSON is an error of the call itself.
func (c *Client) CheckRequest(req *geminiapi.GenerateContentRequest, opts ...CallOption) error {
	s, err := c.with(opts)
	if err != nil {
		return err
	}
	if req == nil {
		req = &geminiapi.GenerateContentRequest{}
	}
	_, err = s.unencoded(req, "generateContent")
	return err
}

// ValidateOption sets where a request is going.
type ValidateOption func(*requestcheck.Target)

// ForModel sets the model of the request, in any form that models.At accepts. It enables the rules
// of the model that answers at the service and the time. An unknown model has the rules of the
// newest. The default is the member model of the request; "" is the same as no option.
func ForModel(model string) ValidateOption {
	return func(t *requestcheck.Target) { t.Model = model }
}

// ForTime sets the time at which the API answers the request. It decides which model answers to a
// name: since 2026-10-08, gemini-3.6-flash answers requests for gemini-3.5-flash at the Gemini API.
// The default is now.
func ForTime(when time.Time) ValidateOption {
	return func(t *requestcheck.Target) { t.When = when }
}

// ForVertexAI applies the rules of Vertex AI, and refuses members that only the Gemini API has.
func ForVertexAI() ValidateOption {
	return func(t *requestcheck.Target) { t.Backend = requestcheck.VertexAI }
}

// ForGeminiAPI applies the rules of the Gemini API (generativelanguage.googleapis.com), and refuses
// members that only Vertex AI has.
func ForGeminiAPI() ValidateOption {
	return func(t *requestcheck.Target) { t.Backend = requestcheck.GeminiAPI }
}

// ValidateResponse checks whether the API could have sent a whole answer. It returns nil or a
// *[validation.Error] with all problems at once, errors and warnings. [validation.Errors] removes
// the warnings.
//
// An error is something that no server sends. The rules are the description's and some that span
// several members. Recorded answers of the Gemini API and of Vertex AI confirm each rule; none of
// them breaks one:
//
//   - required, type, range, format, spelling: members that are missing, of another JSON type, out
//     of range, of another form, or spelled differently, such as finish_reason
//   - unique: candidates with the same index, counts with the same modality, duplicate members
//   - role, one_member: content of another role than the model, parts without content or with two
//     kinds of it
//   - sum, within: counts that do not add up, indexes and segments that are out of range
//   - order, length: ranges that end before they begin, lists and texts whose length does not
//     match a related one
//   - text, mime_type: segments whose text differs from the part, media without a MIME type
//   - refusal: a refused prompt with an answer
//   - content, continues: candidates without content, pieces of a call that has no beginning
//   - identity: chunks of another answer
//
// A warning is a member (unknown) or an enum value (oneof) that the description does not know, or
// text that is not base64 of the standard alphabet. The API adds members before the description
// lists them, and a program that refuses them would then break. So use this check in tests: for
// recorded answers, and for answers that people or other servers write.
//
// Decoding loses details of the wire, such as a string instead of a number. [CheckResponse] checks
// the bytes.
func ValidateResponse(r *geminiapi.GenerateContentResponse) error {
	return validateAnswer(r, answercheck.Response)
}

// ValidateChunk checks whether the API could have sent one chunk of a stream, like
// [ValidateResponse]. [CheckStream] also checks how chunks fit together.
func ValidateChunk(r *geminiapi.GenerateContentResponse) error {
	return validateAnswer(r, answercheck.Chunk)
}

func validateAnswer(r *geminiapi.GenerateContentResponse,
	check func([]byte, *geminiapi.GenerateContentResponse) []validation.Violation) error {
	if r == nil {
		r = &geminiapi.GenerateContentResponse{}
	}
	data, err := EncodeResponse(r)
	if err != nil {
		return err
	}
	found := check(data, r)
	if len(found) == 0 {
		return nil
	}
	for i := range found {
		found[i].Position = validation.Position{} // The caller has no JSON text.
	}
	return &validation.Error{Prefix: "gemini", Violations: found}
}

// CheckResponse checks the body of a whole answer and returns the violations, or nil. It applies
// the rules of [ValidateResponse] to the original bytes, and each violation has its position in
// them. A body that is an error of the API breaks the rule error.
func CheckResponse(body []byte) []validation.Violation {
	r, err := DecodeResponse(body)
	switch {
	case err != nil:
		return payloadcheck.Undecodable(body, answercheck.Table(body), err)
	case IsError(r):
		return []validation.Violation{{Rule: ruleError,
			Want: "must be an answer, not an error of the API: " +
				DecodeError(0, nil, body).Error()}}
	default:
		return answercheck.Response(body, r)
	}
}

// ruleError is the rule that an error body breaks.
const ruleError = "error"

// CheckStream checks the body of a stream, in either framing. It reports for each chunk what
// [ValidateChunk] reports. It also checks the chunks together: they have one responseId and one
// modelVersion, supports cite chunks and earlier text, and each candidate has a finish reason. A
// pointer such as "/3/candidates/0" begins with the index of the chunk. An error that ends the
// stream breaks the rule error, and the check stops there.
func CheckStream(body []byte) []validation.Violation {
	reader := NewStreamReader(bytes.NewReader(body))
	var stream answercheck.Stream
	all := payloadcheck.NewStream(body)
	for {
		chunk, err := reader.Next()
		if err == io.EOF {
			break
		}
		if failure, ok := errors.AsType[*Error](err); ok && failure.FromAPI() {
			return append(all.Found,
				validation.Violation{Pointer: reader.position(), Rule: ruleError,
					Want: "must be a chunk, not an error of the API: " + failure.Error()})
		}
		if failure, ok := errors.AsType[*Error](err); ok { // a page or a text
			return append(all.Found,
				validation.Violation{Rule: "stream",
					Want: "not an answer but an error: " + failure.Summary()})
		}
		if err != nil {
			return append(all.Found, payloadcheck.StreamFault(body, err))
		}
		inChunk := stream.Push(reader.Bytes(), chunk)
		if !all.Add(reader.Count()-1, reader.Offset(), inChunk) {
			return all.Found
		}
	}
	all.Found = append(all.Found, stream.Close()...)
	if err := reader.CheckEnd(); err != nil {
		all.Found = append(all.Found, payloadcheck.StreamFault(body, err))
	}
	return append(all.Found, payloadcheck.Skipped(reader.Report())...)
}
