package request_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
	"github.com/go-json-experiment/json/jsontext"
)

// These models accept different settings. 2.5 thinks by a budget. 3 thinks by levels and requires
// signatures. 3.6 does not continue a turn of its own.
const (
	flash25 = "gemini-2.5-flash"
	pro3    = "gemini-3.1-pro-preview"
	flash36 = "gemini-3.6-flash"
)

// on returns a request for a model with members.
func on(model, members string) string { return `{"model":"` + model + `",` + members + `}` }

// hi is an input.
const hi = `"input":"Hi."`

// with returns a request with settings of the answer.
func with(model, settings string) string {
	return on(model, hi+`,"generation_config":{`+settings+`}`)
}

// inputOf returns a request with a list of steps.
func inputOf(steps ...string) string {
	return on(flash36, `"input":[`+strings.Join(steps, ",")+`]`)
}

func mustDecode(t testing.TB, document string) *interactionsapi.CreateInteractionRequest {
	t.Helper()
	in, err := interactions.DecodeRequest([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// geminiRequest converts a request and returns it as bytes.
func geminiRequest(document []byte, opts ...request.Option) ([]byte, report.Report, error) {
	in, err := interactions.DecodeRequest(document)
	if err != nil {
		return nil, nil, err
	}
	out, report, err := request.ToGemini(in, opts...)
	if err != nil {
		return nil, report, err
	}
	data, err := gemini.EncodeRequest(out)
	return data, report, err
}

// value returns the value at a pointer in canonical JSON, or "".
func value(data []byte, pointer string) string {
	start, end := jsonx.Find(data, jsontext.Pointer(pointer))
	if end == 0 {
		return ""
	}
	found := jsontext.Value(data[start:end]).Clone()
	if err := found.Canonicalize(); err != nil {
		return err.Error()
	}
	return string(found)
}

// row is a request with its complete report, one entry per line, or with its error.
type row struct {
	name, request string
	opts          []request.Option
	want          map[string]string // by pointers into Gemini's request; "" for nothing
	report        string
	problem       string // the pointer of the error and a part of its text
}

// check checks rows.
func check(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			data, report, err := geminiRequest([]byte(r.request), r.opts...)
			if r.problem != "" {
				checkProblem(t, err, r.problem)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for pointer, want := range r.want {
				if got := value(data, pointer); got != want {
					t.Errorf("%s: got %s, want %s\nin %s", pointer, got, want, data)
				}
			}
			var lines []string
			for _, e := range report {
				lines = append(lines, string(e.Kind)+" "+e.Pointer)
			}
			if diff := cmp.Diff(r.report, strings.Join(lines, "\n")); diff != "" {
				t.Errorf("report (-want +got):\n%s\n%v", diff, report)
			}
		})
	}
}

// checkProblem checks that an error is at a pointer and says what is wrong.
func checkProblem(t *testing.T, err error, problem string) {
	t.Helper()
	pointer, text, _ := strings.Cut(problem, " ")
	fault, ok := errors.AsType[*request.Error](err)
	if !ok {
		t.Fatalf("got %v, want a *request.Error at %s", err, pointer)
	}
	if got, _ := fault.Location(); got != pointer || !strings.Contains(fault.Error(), text) {
		t.Errorf("got %q at %s, want %q at %s", fault, got, text, pointer)
	}
}
