package interactions_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/go-json-experiment/json/jsontext"
)

// server adds members to answers.
type server struct{}

func (server) Added(report.Report) (transform.Added, error) {
	return transform.Added{Usage: jsontext.Value(`{"cost":1}`), Extension: jsontext.Value(`{"x":2}`)}, nil
}

func (server) Edit(any) {}

const (
	formRequest = `{"model":"gemini-2.5-flash","input":"Hi","system_instruction":"Be brief.","stream":true,"previous_interaction_id":"v1_p"}`
	formAnswer  = `{"responseId":"r","modelVersion":"gemini-2.5-flash-001","candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"Hello"}]}}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`
)

func TestTheFormConvertsARequestAndItsAnswer(t *testing.T) {
	t.Parallel()
	form := interactions.Form()
	in, err := form.Decode([]byte(strings.Replace(formRequest, `,"previous_interaction_id":"v1_p"`, "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if in.Model() != "gemini-2.5-flash" || !in.Streams() || in.NotWhole() != "/stream" ||
		in.CheckMembers() != nil || in.Validate() != nil {
		t.Errorf("the request has the model %q", in.Model())
	}
	out, _, err := in.ToGemini(transform.Target{Model: "gemini-2.5-flash", Serves: true,
		Time: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	if text := *out.Contents[0].Parts[0].Text; text != "Hi" {
		t.Errorf("the text is %q", text)
	}
	if n := in.Release(); n != 0 {
		t.Errorf("the request holds %d bytes", n)
	}
	body, _, err := in.AppendAnswer(nil, openaitest.Decode(t, formAnswer),
		&transform.Options{ID: "v1_x", Server: server{}})
	if err != nil {
		t.Fatal(err)
	}
	openaitest.Subset(t, string(body), `{"id":"v1_x","model":"gemini-2.5-flash","status":"completed",
		"usage":{"total_tokens":2,"cost":1},"extra_content":{"google":{"modelVersion":"gemini-2.5-flash-001"},"gemwire":{"x":2}}}`)
	if found := form.Response.Check(body); len(found) > 2 { // two members that only we have
		t.Errorf("the answer has %v", found)
	}
	again, err := form.Response.Recode(body)
	if err != nil || string(again) != string(body) {
		t.Errorf("%v: another answer: %s", err, again)
	}
}

func TestTheFormContinuesAnInteraction(t *testing.T) {
	t.Parallel()
	in, err := interactions.Form().Decode([]byte(formRequest))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := in.ToGemini(transform.Target{}); err == nil {
		t.Error("the steps before are missing, and the request is converted")
	}
	in.(interactions.Continuation).Continue([]interactionsapi.Step{wire.UserText("Before.")})
	out, _, err := in.ToGemini(transform.Target{})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, content := range out.Contents {
		for _, part := range content.Parts {
			texts = append(texts, *part.Text)
		}
	}
	if got := strings.Join(texts, " "); got != "Before. Hi" {
		t.Errorf("the texts are %q", got)
	}
}

func TestTheFormWritesAStream(t *testing.T) {
	t.Parallel()
	form := interactions.Form()
	in, err := form.Decode([]byte(formRequest))
	if err != nil {
		t.Fatal(err)
	}
	s := in.Stream(&transform.Options{ID: "v1_x", Server: server{}, WithoutExtensions: true})
	body, err := s.Push(nil, openaitest.Decode(t, formAnswer))
	if err != nil {
		t.Fatal(err)
	}
	body = s.Heartbeat(body)
	if body, err = s.Close(body, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`event: interaction.created` + "\n" + `data: {"interaction":{"id":"v1_x"`,
		"\n: keep-alive\n", `"cost":1`, `"extra_content":{"gemwire":{"x":2}}`,
		`"previous_interaction_id":"v1_p"`, "event: done\ndata: [DONE]\n\n",
	} {
		if !strings.Contains(string(body), want) {
			t.Errorf("the body does not have %s:\n%s", want, body)
		}
	}
	if !s.Lost().Covers("/0/responseId") || !s.Report().Covers("/0/modelVersion") {
		t.Errorf("the report is %v", s.Report())
	}
	var copied strings.Builder
	if _, err := form.Stream.Copy(&copied, strings.NewReader(string(body)), true); err != nil {
		t.Error(err)
	}
	if want := strings.ReplaceAll(string(body), ": keep-alive\n\n", ""); copied.String() != want {
		t.Errorf("the copy is %s", copied.String())
	}
}

func TestTheFormWritesErrors(t *testing.T) {
	t.Parallel()
	form := interactions.Form()
	for name, tc := range map[string]struct {
		err  transform.Error
		want string
	}{
		"by status":         {transform.Error{Status: 429, Message: "slow"}, wire.CodeRateLimitExceeded},
		"an unknown model":  {transform.Error{Status: 404, Code: transform.CodeModelNotFound, Message: "m"}, wire.CodeModelNotFound},
		"an unknown member": {transform.Error{Status: 400, Code: "unknown_parameter", Message: "m"}, wire.CodeParameterUnknown},
	} {
		body, err := wire.DecodeErrorResponse(form.AppendError(nil, &tc.err))
		if err != nil {
			t.Fatal(err)
		}
		if code, _ := body.Error.Code.AsString(); code != tc.want || *body.Error.Message != tc.err.Message {
			t.Errorf("%s: %s", name, code)
		}
	}
	s := form.New().Stream(&transform.Options{})
	for want, err := range map[string]error{
		wire.CodeUnavailable: &transform.Error{Status: 503, Message: "busy"},
		wire.CodeInternal:    &normalize.Error{Category: normalize.CategoryServer, Message: "broken"},
	} {
		reader := wire.NewStreamReader(strings.NewReader(string(s.Fail(nil, err))))
		_, failure := reader.Next()
		if e, ok := errors.AsType[*wire.Error](failure); !ok || e.Code() != want {
			t.Errorf("got %v, want %s", failure, want)
		}
	}
}

func TestTheFormRecognizesItsDocuments(t *testing.T) {
	t.Parallel()
	form := interactions.Form()
	names := func(list ...string) map[string]bool {
		out := map[string]bool{}
		for _, name := range list {
			out[name] = true
		}
		return out
	}
	if !form.Request.Is(names("model", "input", "generationconfig"), "") ||
		!form.Request.Is(names("agent", "input"), "") || form.Request.Is(names("model", "input"), "") {
		t.Error("the request is not recognized")
	}
	if !form.Response.Is(names("steps", "status"), "") || form.Response.Is(names("output"), "") {
		t.Error("the answer is not recognized")
	}
	if !form.Stream.Is(names("interaction", "eventtype"), "") || form.Stream.Is(names("type"), "") {
		t.Error("the stream is not recognized")
	}
}
