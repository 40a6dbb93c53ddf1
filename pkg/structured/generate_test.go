package structured_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// verdict is the type that models are asked for.
type verdict struct {
	Verdict string   `json:"verdict" validate:"oneof=accept revise"`
	Reasons []string `json:"reasons" validate:"min=1"`
}

// model answers with the elements of a list in turn. Each element is the chunks of a stream.
type model struct {
	answers  [][]string
	requests []geminiapi.GenerateContentRequest
}

type modelOption struct{}

var errAsleep = errors.New("the model is asleep")

func (m *model) next(request *geminiapi.GenerateContentRequest) ([]*geminiapi.GenerateContentResponse,
	error) {
	m.requests = append(m.requests, *request)
	if len(m.requests) > len(m.answers) {
		return nil, errAsleep
	}
	var out []*geminiapi.GenerateContentResponse
	for _, text := range m.answers[len(m.requests)-1] {
		var chunk geminiapi.GenerateContentResponse
		if err := json.Unmarshal([]byte(text), &chunk); err != nil {
			return nil, err
		}
		out = append(out, &chunk)
	}
	return out, nil
}

func (m *model) GenerateContent(_ context.Context, request *geminiapi.GenerateContentRequest,
	_ ...modelOption) (*geminiapi.GenerateContentResponse, error) {
	chunks, err := m.next(request)
	if err != nil {
		return nil, err
	}
	return chunks[0], nil
}

func (m *model) StreamGenerateContent(_ context.Context, request *geminiapi.GenerateContentRequest,
	_ ...modelOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		chunks, err := m.next(request)
		for _, chunk := range chunks {
			if !yield(chunk, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// said is an answer with texts. Texts that begin with ? are thoughts.
func said(texts ...string) string {
	var parts []string
	for _, text := range texts {
		thought := strings.HasPrefix(text, "?")
		parts = append(parts,
			fmt.Sprintf(`{"text":%q,"thought":%t,"thoughtSignature":"c2ln"}`, text, thought))
	}
	return `{"candidates":[{"content":{"role":"model","parts":[` + strings.Join(parts, ",") +
		`]},"finishReason":"STOP"}],
		"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`
}

func answering(answers ...string) *model {
	m := &model{}
	for _, answer := range answers {
		m.answers = append(m.answers, []string{answer})
	}
	return m
}

func question() *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{
		Model: new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{{Role: new("user"),
			Parts: []geminiapi.Part{{Text: new("Is it good?")}}}},
		GenerationConfig: &geminiapi.GenerationConfig{Temperature: new(0.5)},
	}
}

const good = `{"verdict":"accept","reasons":["clear"]}`

func TestGenerateAsksWithTheSchemaOfTheType(t *testing.T) {
	t.Parallel()
	m := answering(said("?What do I think?", good))
	request := question()
	answer, err := structured.Generate[verdict](t.Context(), m, request)
	if err != nil {
		t.Fatal(err)
	}
	want := &structured.Answer[verdict]{
		Value: verdict{Verdict: "accept", Reasons: []string{"clear"}}, Complete: true, Try: 1,
		Text:     good,
		Response: answer.Response, Usage: answer.Response.UsageMetadata,
	}
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Error(diff)
	}
	schema, err := structured.SchemaOf[verdict]()
	if err != nil {
		t.Fatal(err)
	}
	config := m.requests[0].GenerationConfig
	if *config.ResponseMIMEType != "application/json" ||
		string(config.ResponseJSONSchema) != string(schema) || *config.Temperature != 0.5 {
		t.Errorf("%+v", config)
	}
	if diff := cmp.Diff(question(), request); diff != "" {
		t.Error("the request was changed:", diff)
	}
}

func TestASchemaOfTheRequestIsKept(t *testing.T) {
	t.Parallel()
	for _, config := range []*geminiapi.GenerationConfig{
		{ResponseSchema: &geminiapi.Schema{}}, {ResponseJSONSchema: []byte(`{}`)}, {ResponseJSONSchemaTrial: []byte(`{}`)}, {ResponseFormat: &geminiapi.ResponseFormatConfig{}},
	} {
		m := answering(said(good))
		request := question()
		request.GenerationConfig = config
		if _, err := structured.Generate[verdict](t.Context(), m, request); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(config, m.requests[0].GenerationConfig); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAWrongAnswerIsSentToTheModelWithItsFaults(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"rules that are broken":     {`{"verdict":"maybe","reasons":[]}`, "- /verdict: must be one of accept, revise, found \"maybe\"\n- /reasons: must have at least 1 elements, found a list"},
		"another type":              {`{"verdict":"accept","reasons":"clear"}`, `- /reasons: line 1, column 31 (offset 30): expected a list, found "clear"`},
		"no JSON":                   {`It is good.`, "- no JSON value in a text of 11 bytes"},
		"an answer that is cut off": {`{"verdict":"accept","reasons":["cl`, "- it is cut off after 34 bytes; make it shorter"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tries []structured.Try
			m := answering(said(test.text), said(good))
			answer, err := structured.Generate[verdict](t.Context(), m, question(),
				structured.WithTry(func(t structured.Try) { tries = append(tries, t) }))
			if err != nil {
				t.Fatal(err)
			}
			contents := m.requests[1].Contents
			if len(contents) != 3 || *contents[1].Parts[0].Text != test.text ||
				*contents[1].Parts[0].ThoughtSignature != "c2ln" {
				t.Fatalf("%d turns", len(contents))
			}
			want := "The answer is not the JSON that was asked for:\n" + test.want +
				"\nAnswer again with the whole JSON, and with nothing else."
			if diff := cmp.Diff(want, *contents[2].Parts[0].Text); diff != "" {
				t.Error(diff)
			}
			if answer.Try != 2 || *answer.Usage.TotalTokenCount != 30 ||
				*answer.Response.UsageMetadata.TotalTokenCount != 15 {
				t.Errorf("%+v", answer)
			}
			if len(tries) != 2 || tries[0].Err == nil || tries[1].Err != nil ||
				tries[1].Number != 2 {
				t.Errorf("%+v", tries)
			}
		})
	}
}

func TestAModelGetsAtMostTwentyFaults(t *testing.T) {
	t.Parallel()
	type list struct {
		Items []verdict `json:"items" validate:"dive"`
	}
	wrong := `{"items":[` + strings.Repeat(`{"verdict":"x","reasons":["r"]},`, 24) +
		`{"verdict":"x","reasons":["r"]}]}`
	m := answering(said(wrong), said(`{"items":[]}`))
	if _, err := structured.Generate[list](t.Context(), m, question()); err != nil {
		t.Fatal(err)
	}
	text := *m.requests[1].Contents[2].Parts[0].Text
	if strings.Count(text, "\n- ") != 21 || !strings.Contains(text, "- and 5 more\n") {
		t.Error(text)
	}
}

func TestAfterTheLastCorrectionTheErrorHasWhatAllCost(t *testing.T) {
	t.Parallel()
	wrong := said(`{"verdict":"maybe","reasons":["r"]}`)
	for corrections, want := range map[int]string{
		0: "structured: the answer is wrong after 1 try: invalid: /verdict: ",
		3: "structured: the answer is wrong after 4 tries: invalid: /verdict: ",
	} {
		m := answering(wrong, wrong, wrong, wrong, wrong)
		answer, err := structured.Generate[verdict](t.Context(), m, question(),
			structured.WithCorrections(corrections))
		failure, ok := errors.AsType[*structured.GenerateError](err)
		if !ok || answer != nil || !strings.HasPrefix(err.Error(), want) ||
			*failure.Usage.TotalTokenCount != 15*(corrections+1) {
			t.Errorf("%v", err)
		}
		if _, ok := errors.AsType[*structured.InvalidError](err); !ok {
			t.Errorf("%v hides its cause", err)
		}
	}
	m := answering(wrong, wrong, wrong, wrong)
	if _, err := structured.Generate[verdict](t.Context(), m, question()); err == nil ||
		len(m.requests) != 3 {
		t.Errorf("%d requests, %v", len(m.requests), err)
	}
}

func TestErrorsThatARetryCannotFixAreNotRetried(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`: "structured: no text: the model called a function",
		`{"promptFeedback":{"blockReason":"SAFETY"}}`:                                                  "structured: no text: the prompt was refused: SAFETY",
		`{"candidates":[{"finishReason":"RECITATION"}]}`:                                               "structured: no text: the model ended with RECITATION",
		`{"promptFeedback":{"safetyRatings":[]}}`:                                                      "structured: no text",
	} {
		m := answering(text, said(good))
		_, err := structured.Generate[verdict](t.Context(), m, question())
		if _, ok := errors.AsType[*structured.NoTextError](err); !ok || err.Error() != want ||
			len(m.requests) != 1 {
			t.Errorf("%s: %v, %d requests", text, err, len(m.requests))
		}
	}
}

func TestAnEmptyAnswerIsRequestedAgainUnchanged(t *testing.T) {
	t.Parallel()
	m := answering(`{}`, `{"candidates":[{"finishReason":"MAX_TOKENS"}]}`, said(good))
	answer, err := structured.Generate[verdict](t.Context(), m, question())
	if err != nil || answer.Try != 3 || len(m.requests[2].Contents) != 1 {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestAnErrorOfTheClientIsReturnedAsItIs(t *testing.T) {
	t.Parallel()
	if _, err := structured.Generate[verdict](t.Context(), answering(),
		question()); err != errAsleep {
		t.Error(err)
	}
	if _, err := structured.Generate[chan int](t.Context(), answering(), question()); err == nil {
		t.Error("a channel has no schema")
	}
}

func TestOptionsOfParseHoldForGenerate(t *testing.T) {
	t.Parallel()
	repaired := 0
	m := answering(said(`{"verdict":"accept","reasons":["clear",],}`))
	_, err := structured.Generate[verdict](t.Context(), m, question(),
		structured.WithRepair(func(structured.Repair) { repaired++ }))
	if err != nil || repaired != 2 {
		t.Errorf("%v, %d repairs", err, repaired)
	}
}

// pieces are the chunks of an answer.
func pieces(texts ...string) []string {
	var out []string
	for _, text := range texts {
		out = append(out,
			fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%q}]}}]}`,
				text))
	}
	return append(out, `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":15}}`)
}

func TestGenerateStreamYieldsGrowingValues(t *testing.T) {
	t.Parallel()
	m := &model{answers: [][]string{pieces(`{"verdict":"may`, `be","reasons":["a"]}`),
		pieces(`{"verdict":"acc`, `ept","reasons":["cl`, `ear"]}`)}}
	var got []string
	for answer, err := range structured.GenerateStream[verdict](t.Context(), m, question()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got,
			fmt.Sprintf("%d %v %s %q", answer.Try, answer.Complete, answer.Value.Verdict,
				answer.Value.Reasons))
		if answer.Complete &&
			(*answer.Usage.TotalTokenCount != 30 || answer.Text != good || answer.Response == nil) {
			t.Errorf("%+v", answer)
		}
	}
	want := []string{
		`1 false may []`, `1 false maybe ["a"]`,
		`2 false acc []`, `2 false accept ["cl"]`, `2 false accept ["clear"]`,
		`2 true accept ["clear"]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if text := *m.requests[1].Contents[1].Parts[0].Text; text != `{"verdict":"maybe","reasons":["a"]}` {
		t.Errorf("the answer went back as %s", text)
	}
}

func TestGenerateStreamEndsInAnError(t *testing.T) {
	t.Parallel()
	wrong := pieces(`{"verdict":"maybe","reasons":["a"]}`)
	for name, test := range map[string]struct {
		answers [][]string
		want    func(error) bool
	}{
		"of the client": {nil, func(err error) bool { return err == errAsleep }},
		"of the answer": {[][]string{wrong, wrong, wrong}, func(err error) bool { _, ok := errors.AsType[*structured.GenerateError](err); return ok }},
		"of a refusal":  {[][]string{{`{"promptFeedback":{"blockReason":"SAFETY"}}`}}, func(err error) bool { _, ok := errors.AsType[*structured.NoTextError](err); return ok }},
	} {
		errs := 0
		var last error
		for _, err := range structured.GenerateStream[verdict](t.Context(),
			&model{answers: test.answers}, question()) {
			if last = err; err != nil {
				errs++
			}
		}
		if errs != 1 || !test.want(last) {
			t.Errorf("%s: %d errors, the last pair has %v", name, errs, last)
		}
	}
}

func TestGenerateStreamMayBeLeft(t *testing.T) {
	t.Parallel()
	m := &model{answers: [][]string{pieces(`{"verdict":"acc`, `ept"`)}}
	for range structured.GenerateStream[verdict](t.Context(), m, question()) {
		break
	}
	if len(m.requests) != 1 {
		t.Errorf("%d requests", len(m.requests))
	}
}

// A program that only parses must not link a client, nor the types of requests and answers.
func TestAProgramThatParsesHoldsNoClient(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it links a program")
	}
	program := filepath.Join(t.TempDir(), "parseonly")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/parseonly")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	symbols, err := exec.CommandContext(t.Context(), "go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(symbols), "pkg/structured.") {
		t.Error("the symbols are not those of the program")
	}
	for symbol := range strings.Lines(string(symbols)) {
		if strings.Contains(symbol, "net/http.") || strings.Contains(symbol, "gen/geminiapi.(*") {
			t.Fatalf("it holds %s", symbol)
		}
	}
}
