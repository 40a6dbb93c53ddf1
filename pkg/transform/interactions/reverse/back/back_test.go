package back_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/back"
)

func TestARequestOfGeminiIsAnInteraction(t *testing.T) {
	t.Parallel()
	in, err := gemini.DecodeRequest([]byte(
		`{"contents":[{"role":"user","parts":[{"text":"Hi."}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := back.New().Request(in, &transform.Options{Model: "gemini-3.5-flash"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := interactions.DecodeRequest(data)
	if err != nil {
		t.Fatal(err)
	}
	if out.Model == nil || *out.Model != "gemini-3.5-flash" ||
		!strings.Contains(string(data), `"text":"Hi."`) {
		t.Errorf("got %s", data)
	}
}

const answered = `{"id":"x","object":"interaction","status":"completed","model":"m",` +
	`"steps":[{"type":"model_output","content":[{"type":"text","text":"Hello."}]}]}`

func TestAnInteractionIsAnAnswerOfGemini(t *testing.T) {
	t.Parallel()
	out, _, err := back.New().Answer([]byte(answered), &transform.Options{Model: "asked", ID: "r"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := gemini.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"text":"Hello."`, `"modelVersion":"asked"`, `"responseId":"r"`,
		`"finishReason":"STOP"`, `"extraContent"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is not in %s", want, data)
		}
	}
	plain, entries, err := back.New().Answer([]byte(answered),
		&transform.Options{Model: "asked", WithoutExtensions: true})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Unknown != nil || len(entries) == 0 {
		t.Errorf("got the extension %s, report %v", plain.Unknown, entries)
	}
	if _, _, err := back.New().Answer([]byte(`{`), &transform.Options{}); err == nil {
		t.Error("half a document is an answer")
	}
}

func TestAStreamOfAnInteractionIsAStreamOfGemini(t *testing.T) {
	t.Parallel()
	events := []string{
		`{"event_type":"interaction.created","interaction":{"id":"x","object":"interaction","status":"in_progress"}}`,
		`{"event_type":"step.start","index":0,"step":{"type":"model_output"}}`,
		`{"event_type":"step.delta","index":0,"delta":{"type":"text","text":"Hello."}}`,
		`{"event_type":"step.stop","index":0,"later":1}`,
		`{"event_type":"interaction.completed","interaction":{"id":"x","object":"interaction","status":"completed"}}`,
	}
	body := "data: " + strings.Join(events, "\n\ndata: ") + "\n\nevent: done\ndata: [DONE]\n\n"
	text := func(body string) (out string, s transform.BackStream, err error) {
		s = back.New().Stream(strings.NewReader(body), &transform.Options{})
		for chunk, err := range s.Chunks() {
			if err != nil {
				return out, s, err
			}
			for _, candidate := range chunk.Candidates {
				if candidate.Content == nil {
					continue
				}
				for _, part := range candidate.Content.Parts {
					if part.Text != nil {
						out += *part.Text
					}
				}
			}
		}
		return out, s, nil
	}
	got, s, err := text(body)
	if err != nil || got != "Hello." {
		t.Errorf("got %q, error %v", got, err)
	}
	if lost := s.Lost(); len(lost) != 1 || lost[0].Pointer != "/3/later" || len(s.Report()) == 0 {
		t.Errorf("lost %v of the report %v", lost, s.Report())
	}
	if _, s, err = text(body[:strings.Index(body, "data: "+events[4])]); err == nil {
		t.Fatal("half a stream has no error")
	}
	if e := s.ErrorBody(err); e == nil || e.Error.Code == nil || *e.Error.Code < 400 {
		t.Errorf("the error of half a stream is %+v", e)
	}
}

func TestAnErrorOfAStreamIsAnErrorOfGemini(t *testing.T) {
	t.Parallel()
	s := back.New().Stream(strings.NewReader("event: error\ndata: "+
		`{"event_type":"error","error":{"code":"rate_limit_exceeded","message":"slow down"}}`+
		"\n\n"), &transform.Options{})
	var failure error
	for _, err := range s.Chunks() {
		failure = errors.Join(failure, err)
	}
	if failure == nil {
		t.Fatal("the stream has no error")
	}
	if e := s.ErrorBody(failure); e.Error.Code == nil || *e.Error.Code != 429 ||
		e.Error.Message == nil || !strings.Contains(*e.Error.Message, "slow down") {
		t.Errorf("got %+v", e.Error)
	}
}
