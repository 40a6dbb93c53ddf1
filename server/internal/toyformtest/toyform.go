// Package toyformtest is a minimal form for tests, which shows what a new form needs. It answers
// {"shout": TEXT} with {"echo": TEXT} in upper case.
package toyformtest

import (
	"errors"
	"io"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Form returns the form.
func Form() *transform.Form {
	return &transform.Form{
		Name: "toy", Paths: []string{"/toy/shout"}, IDHeader: "X-Toy-Id",
		Decode: decode, New: func() transform.Request { return &request{} },
		AppendError: func(dst []byte,
			e *transform.Error) []byte {
			return appendObject(dst, "wrong", e.Message)
		},
		Request: transform.Document{
			Name: "toy-request", About: "a text to shout", CheckAbout: "has a text",
			Is:     func(names map[string]bool, _ string) bool { return names["shout"] },
			Recode: recode[question],
		},
		Response: transform.Document{
			Name: "toy-response", About: "what was shouted", CheckAbout: "has a text", Mark: "echo",
			Is:     func(names map[string]bool, _ string) bool { return names["echo"] },
			Recode: recode[reply], Check: check,
		},
		Stream: transform.Document{
			Name: "toy-stream", About: "what was shouted, a line for each chunk",
			CheckAbout: "has a text in each line",
			Is:         func(names map[string]bool, _ string) bool { return names["echo"] },
			Check:      check,
			Copy: func(w io.Writer, r io.Reader, _ bool) (report.Report, error) {
				_, err := io.Copy(w, r)
				return nil, err
			},
		},
		Counterparts: transform.Counterparts{
			Request:  [][2]string{{"/shout", "/contents"}, {"/whisper", "/contents"}},
			Response: [][2]string{{"/candidates/0/content", "/echo"}},
		},
	}
}

type question struct {
	Model   string         `json:"model,omitzero"`
	Shout   string         `json:"shout"`
	Stream  bool           `json:"stream,omitzero"`
	Whisper jsontext.Value `json:"whisper,omitzero"` // which is lost
}

type reply struct {
	Echo string `json:"echo"`
}

func recode[T any](data []byte) ([]byte, error) {
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

func check(data []byte) []validation.Violation {
	if !strings.Contains(string(data), `"echo"`) {
		return []validation.Violation{{Pointer: "/echo", Rule: "required", Want: "must be set"}}
	}
	return nil
}

func appendObject(dst []byte, name, text string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, text)
	return append(dst, jsonx.Object(name, quoted)...)
}

// request implements [transform.Request].
type request struct{ question }

func decode(body []byte) (transform.Request, error) {
	r := &request{}
	return r, json.Unmarshal(body, &r.question)
}

func (r *request) Model() string       { return r.question.Model }
func (r *request) Streams() bool       { return r.question.Stream }
func (r *request) CheckMembers() error { return nil }
func (r *request) Body() any           { return &r.question }
func (r *request) Release() int64      { return 0 }

func (r *request) NotWhole() string {
	if r.question.Stream {
		return "/stream"
	}
	return ""
}

func (r *request) Validate() error {
	if r.Shout == "" {
		return errors.New("toyformtest: /shout: must be set")
	}
	return nil
}

func (r *request) ToGemini(transform.Target) (*geminiapi.GenerateContentRequest, report.Report,
	error) {
	var entries report.Report
	if r.Whisper != nil {
		entries.Add(report.Lost, "/whisper", "the form only shouts")
	}
	return &geminiapi.GenerateContentRequest{
		Contents: []geminiapi.Content{{Role: new("user"),
			Parts: []geminiapi.Part{{Text: &r.Shout}}}},
	}, entries, nil
}

// textOf returns the text of an answer in upper case.
func textOf(r *geminiapi.GenerateContentResponse) string {
	var out strings.Builder
	for i := range r.Candidates {
		if content := r.Candidates[i].Content; content != nil {
			for j := range content.Parts {
				out.WriteString(strings.ToUpper(jsonx.Deref(content.Parts[j].Text)))
			}
		}
	}
	return out.String()
}

func (r *request) AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse,
	o *transform.Options) ([]byte, report.Report, error) {
	_, err := o.AddedBy(nil)
	return appendObject(dst, "echo", textOf(answer)), nil, err
}

func (r *request) AppendNormalized(dst []byte, answer *normalize.Response,
	_ *transform.Options) ([]byte, report.Report, error) {
	var out strings.Builder
	for i := range answer.Candidates {
		for j := range answer.Candidates[i].Blocks {
			out.WriteString(strings.ToUpper(answer.Candidates[i].Blocks[j].Text))
		}
	}
	return appendObject(dst, "echo", out.String()), nil, nil
}

func (r *request) Stream(*transform.Options) transform.Stream { return stream{} }

// stream implements [transform.Stream].
type stream struct{}

func (stream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	return append(appendObject(dst, "echo", textOf(chunk)), '\n'), nil
}
func (stream) Close(dst []byte, err error) ([]byte, error) { return dst, err }
func (stream) Fail(dst []byte, err error) []byte {
	return append(appendObject(dst, "wrong", err.Error()), '\n')
}
func (stream) Heartbeat(dst []byte) []byte { return append(dst, '\n') }
func (stream) Report() report.Report       { return nil }
func (stream) Lost() report.Report         { return nil }
