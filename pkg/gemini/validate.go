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

// ValidateRequest checks a request the way the API does, before it is sent. It returns nil or a
// *[validation.Error] with all problems at once; each says where it is and what would be right. No
// more than 1,000 are collected: first how the turns follow each other and what else spans members
// of the request, then, in the order of the description, what is wrong with each member.
//
// A problem is only what a backend is known to answer with HTTP 400, by its own description, by
// recorded replies or by public reports. What no request tells is not looked at: keys, quotas,
// regions, the number of tokens, files and caches that do not exist. So a valid request can still
// fail, and one that the API is known to take is never refused, nor one of which nothing is known.
//
// Looked at are
//
//   - turns: there is one, each has parts and a known role, no part holds two kinds of data; media
//     have bytes and a type, arguments and results are objects
//   - calls: the first comes after the user; each is answered once, in the next turn of the user,
//     or none of them; those of the current turn are signed, and the last turn is the user's, on
//     models that insist
//   - tools: functions have names of their own, allowed functions are declared and go with their
//     mode, and stand beside nothing that the model does not take with them; nothing of this stands
//     beside cachedContent
//   - schemas: a Schema holds no more than the backends read, at any depth, and what goes with its
//     type
//   - configuration: numbers are in range, thinking is set as the model takes it, there is one
//     schema for the answer with a MIME type to it
//   - everything: no unknown members, no unknown values of enums, nothing that only the other
//     backend has
//
// Unknown members and values, and parts of an unknown kind, are no problem in a turn of the model:
// what the API has said goes back to it as it came, also on the day when it says something new.
//
// The names of the rules are required, oneof, format, json_object, type, range, max, unique,
// one_member (one of several members is to be set), excluded (by another member), needs (another
// member), declared (a name refers to something), turns, answers (calls and answers pair),
// signature, unknown (members that the API does not have), backend and model (what only the other
// one takes).
//
// Without [ForModel] and without a model in the request, only the rules of all models are applied;
// without [ForVertexAI] and [ForGeminiAPI] none that only one of the two has.
//
// The request is not changed. It may be read by others at the same time.
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

// CheckRequest returns what [Client.GenerateContent] and [Client.StreamGenerateContent] would
// refuse a request for before they encode it, such as [ErrModelRequired], with the same options;
// nil when they would encode it. It sends nothing, asks for no token and encodes nothing, so that
// it takes no longer for a large request. That a value in the request is not JSON is an error of
// the call itself.
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

// ValidateOption says more about where a request is going.
type ValidateOption func(*requestcheck.Target)

// ForModel names the model that the request is for, in any form that models.At takes, so that the
// rules that differ between models are applied: those of the model that answers at the service and
// the time. A model that is not known is held to the rules of the newest. The default is the member
// model of the request; "" is the same as no option.
func ForModel(model string) ValidateOption {
	return func(t *requestcheck.Target) { t.Model = model }
}

// ForTime sets the time at which the request is to be answered. It decides which model answers to a
// name: since 2026-10-08 the Gemini API answers requests to gemini-3.5-flash by gemini-3.6-flash.
// The default is now.
func ForTime(when time.Time) ValidateOption {
	return func(t *requestcheck.Target) { t.When = when }
}

// ForVertexAI has the rules of Vertex AI applied, and members refused that only the Gemini API
// knows.
func ForVertexAI() ValidateOption {
	return func(t *requestcheck.Target) { t.Backend = requestcheck.VertexAI }
}

// ForGeminiAPI has the rules of the Gemini API (generativelanguage.googleapis.com) applied, and
// members refused that only Vertex AI knows.
func ForGeminiAPI() ValidateOption {
	return func(t *requestcheck.Target) { t.Backend = requestcheck.GeminiAPI }
}

// ValidateResponse holds a whole answer to what the API sends. It returns nil or a
// *[validation.Error] with all problems at once, errors and warnings; [validation.Errors] leaves
// out the warnings.
//
// An error is what no server sends. The rules are those of the description, and those that span
// several members; each is proved by the recorded answers of the Gemini API and of Vertex AI, none
// of which breaks it:
//
//   - required, type, range, format, spelling: members that are missing, of another JSON type, out
//     of range, of another form, or written in another way, such as finish_reason
//   - unique: candidates with one index, counts with one modality, members that stand twice
//   - role, one_member: content of another speaker than the model, parts without content or with
//     two kinds of it
//   - sum, within: counts that do not add up, indices and segments beyond what they refer to
//   - order, length: ranges that end before they begin, lists and texts of another length than what
//     they go with
//   - text, mime_type: segments with another text than the part, media without a MIME type
//   - refusal: a refused prompt with an answer
//   - content, continues: candidates that say nothing, pieces of a call that no call begins
//   - identity: chunks of another answer
//
// A warning is a member (unknown) or an enum value (oneof) that the description does not know, or
// text that is not base64 of the standard alphabet. The API says new things before the description
// does, so a program that refuses them breaks on that day: this check is for tests, of recorded
// answers and of answers that people or servers of their own write.
//
// Decoding has lost what the wire had besides, such as a string in place of a number;
// [CheckResponse] checks the bytes.
func ValidateResponse(r *geminiapi.GenerateContentResponse) error {
	return validateAnswer(r, answercheck.Response)
}

// ValidateChunk holds one chunk of a stream to what the API sends, like [ValidateResponse]. What
// chunks must be together is checked by [CheckStream].
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
		found[i].Position = validation.Position{} // The caller has no text.
	}
	return &validation.Error{Prefix: "gemini", Violations: found}
}

// CheckResponse returns what is wrong with the body of a whole answer, nil for nothing. It checks
// what [ValidateResponse] checks, on the bytes as they came, and each violation has its position in
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

// ruleError is broken by a body that is an error.
const ruleError = "error"

// CheckStream returns what is wrong with the body of a stream, in either framing: with each chunk
// what [ValidateChunk] reports, and with the chunks together. They have one responseId and one
// modelVersion, supports cite chunks and text that came before them, and each candidate says why it
// ended. A pointer such as "/3/candidates/0" begins with the number of the chunk. An error that
// ends the stream breaks the rule error; nothing after it is checked.
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
