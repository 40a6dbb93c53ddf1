package gemini

import (
	"bytes"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/gemini/internal/answercheck"
	"github.com/gemwire/gemwire/pkg/validation"
)

// ValidateResponse holds a whole answer to what the API sends. It returns nil or a *[validation.Error] with all problems at
// once, errors and warnings; [validation.Errors] leaves out the warnings.
//
// An error is what no server sends. The rules are those of the description, and those that span several members; each is
// proved by the recorded answers of the Gemini API and of Vertex AI, none of which breaks it:
//
//   - required, type, range, format, spelling: members that are missing, of another JSON type, out of range, of another form,
//     or written in another way, such as finish_reason
//   - unique: candidates with one index, counts with one modality, members that stand twice
//   - role, one_member: content of another speaker than the model, parts without content or with two kinds of it
//   - sum, within: counts that do not add up, indices and segments beyond what they refer to
//   - order, length: ranges that end before they begin, lists and texts of another length than what they go with
//   - text, mime_type: segments with another text than the part, media without a MIME type
//   - refusal: a refused prompt with an answer
//   - content, continues: candidates that say nothing, pieces of a call that no call begins
//   - identity: chunks of another answer
//
// A warning is a member (unknown) or an enum value (oneof) that the description does not know, or text that is not base64 of the
// standard alphabet. The API says new things before the description does, so a program that refuses them breaks on that day:
// this check is for tests, of recorded answers and of answers that people or servers of their own write.
//
// Decoding has lost what the wire had besides, such as a string in place of a number; [CheckResponse] checks the bytes.
func ValidateResponse(r *geminiapi.GenerateContentResponse) error {
	return validateAnswer(r, answercheck.Response)
}

// ValidateChunk holds one chunk of a stream to what the API sends, like [ValidateResponse]. What chunks must be together is
// checked by [CheckStream].
func ValidateChunk(r *geminiapi.GenerateContentResponse) error {
	return validateAnswer(r, answercheck.Chunk)
}

func validateAnswer(r *geminiapi.GenerateContentResponse, check func([]byte, *geminiapi.GenerateContentResponse) []validation.Violation) error {
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

// CheckResponse returns what is wrong with the body of a whole answer, nil for nothing. It checks what [ValidateResponse]
// checks, on the bytes as they came, and each violation has its position in them. A body that is an error of the API breaks the
// rule error.
func CheckResponse(body []byte) []validation.Violation {
	r, err := DecodeResponse(body)
	switch {
	case err != nil:
		return payloadcheck.Undecodable(body, answercheck.Table(body), err)
	case IsError(r):
		return []validation.Violation{{Rule: ruleError, Want: "must be an answer, not an error of the API: " + DecodeError(0, nil, body).Error()}}
	default:
		return answercheck.Response(body, r)
	}
}

// ruleError is broken by a body that is an error.
const ruleError = "error"

// CheckStream returns what is wrong with the body of a stream, in either framing: with each chunk what [ValidateChunk] reports,
// and with the chunks together. They have one responseId and one modelVersion, supports cite chunks and text that came before
// them, and each candidate says why it ended. A pointer such as "/3/candidates/0" begins with the number of the chunk. An error
// that ends the stream breaks the rule error; nothing after it is checked.
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
			return append(all.Found, validation.Violation{Pointer: reader.position(), Rule: ruleError, Want: "must be a chunk, not an error of the API: " + failure.Error()})
		}
		if failure, ok := errors.AsType[*Error](err); ok { // a page or a text
			return append(all.Found, validation.Violation{Rule: "stream", Want: "not an answer but an error: " + failure.Summary()})
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
