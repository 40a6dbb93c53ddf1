package line

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// resultLine is a line of OpenAI's results and errors files. All members are present; missing
// values are null.
type resultLine struct {
	ID       string    `json:"id"`
	CustomID string    `json:"custom_id"`
	Response *Response `json:"response"`
	Error    *Error    `json:"error"`
}

// geminiLine is a line of Gemini's results file.
type geminiLine struct {
	Key      string         `json:"key"`
	Response jsontext.Value `json:"response,omitzero"`
	Error    jsontext.Value `json:"error,omitzero"`
}

// AppendResult appends a result as a line of a results or errors file, in a format: one JSON
// object, and a newline. In OpenAI's format the id of the line is derived from the job and the
// line's number, so it is the same each time.
func AppendResult(dst []byte, f Format, job string, r *Result) ([]byte, error) {
	if f == Gemini {
		return appendGemini(dst, r)
	}
	return appendJSON(dst,
		resultLine{ID: requestID(job, r.Number), CustomID: r.CustomID, Response: r.Response,
			Error: r.Error})
}

// requestID returns the id of a results line in OpenAI's format.
func requestID(job string, number int) string {
	sum := sha256.Sum256([]byte(job + "/" + strconv.Itoa(number)))
	return "batch_req_" + hex.EncodeToString(sum[:16])
}

// Codes of google.rpc.Code for results without an HTTP status.
const (
	codeCancelled = 1
	codeUnknown   = 2
	codeExpired   = 4  // DEADLINE_EXCEEDED
	codeDamaged   = 15 // DATA_LOSS
	codeMismatch  = 9  // FAILED_PRECONDITION
)

func appendGemini(dst []byte, r *Result) ([]byte, error) {
	out := geminiLine{Key: r.CustomID}
	switch {
	case r.Error != nil:
		code := codeExpired
		switch r.Error.Code {
		case CodeCancelled:
			code = codeCancelled
		case CodeDamaged:
			code = codeDamaged
		case CodeMismatch:
			code = codeMismatch
		}
		out.Error = newError(code, r.Error.Message)
	case r.Response == nil: // callers should not make one
		out.Error = newError(codeUnknown, "no result")
	case r.Failed():
		out.Error = errorOf(r.Response)
	default:
		out.Response = r.Response.Body
	}
	return appendJSON(dst, out)
}

// errorOf returns the error of a refusal. Google's APIs put it into an envelope.
func errorOf(refusal *Response) jsontext.Value {
	if start, end := jsonx.Find(refusal.Body, "/error"); end > 0 && refusal.Body[start] == '{' {
		return refusal.Body[start:end]
	}
	return newError(refusal.Status, string(refusal.Body))
}

func newError(code int, message string) jsontext.Value {
	quoted, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(message, "\ufffd"))
	if err != nil {
		quoted = []byte(`""`)
	}
	return jsontext.Value(`{"code":` + strconv.Itoa(code) + `,"message":` + string(quoted) + `}`)
}
