package structured_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/google/go-cmp/cmp"
)

// candidate returns a candidate as JSON. It has an index unless the index is below 0.
func candidate(index int, text string) string {
	member := ""
	if index >= 0 {
		member = fmt.Sprintf(`"index":%d,`, index)
	}
	return fmt.Sprintf(`{%s"content":{"role":"model","parts":[{"text":%q}]},"finishReason":"STOP"}`,
		member, text)
}

func candidates(list ...string) string { return `{"candidates":[` + strings.Join(list, ",") + `]}` }

const other = `{"verdict":"revise","reasons":["dull"]}`

func TestTheCandidateOfTheLowestIndexIsRead(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"in their order":            candidates(candidate(0, good), candidate(1, other)),
		"swapped":                   candidates(candidate(1, other), candidate(0, good)),
		"without 0":                 candidates(candidate(2, other), candidate(1, good)),
		"one without a index":       candidates(candidate(1, other), candidate(-1, good)),
		"no candidate has an index": candidates(candidate(-1, good), candidate(-1, other)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole, err := structured.Generate[verdict](t.Context(), answering(answer), question())
			if err != nil || whole.Text != good {
				t.Errorf("%+v, %v", whole, err)
			}
			var last *structured.Answer[verdict]
			for answer, err := range structured.GenerateStream[verdict](t.Context(),
				answering(answer), question()) {
				if err != nil {
					t.Fatal(err)
				}
				last = answer
			}
			if last.Text != good || !last.Complete {
				t.Errorf("%+v", last)
			}
		})
	}
}

func TestGrowingValuesAreOfOneCandidate(t *testing.T) {
	t.Parallel()
	m := &model{answers: [][]string{{
		`{"usageMetadata":{"promptTokenCount":3}}`,
		candidates(candidate(1, `{"verdict":"revise","reasons":["du`)),
		candidates(candidate(0, `{"verdict":"accept","reasons":["cl`), candidate(1, `ll"]}`)),
		candidates(candidate(1, ` `), candidate(0, `ear"]}`)),
	}}}
	var got []string
	for answer, err := range structured.GenerateStream[verdict](t.Context(), m, question()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got,
			fmt.Sprintf("%v %s %q", answer.Complete, answer.Value.Verdict, answer.Value.Reasons))
	}
	want := []string{`false revise ["du"]`, `false accept ["cl"]`, `false accept ["clear"]`,
		`true accept ["clear"]`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutAModelNothingIsAsked(t *testing.T) {
	t.Parallel()
	if _, err := structured.Generate[verdict, gemini.CallOption](t.Context(), nil,
		question()); !errors.Is(err, structured.ErrNoModel) {
		t.Error(err)
	}
	for _, err := range structured.GenerateStream[verdict, gemini.CallOption](t.Context(), nil,
		question()) {
		if !errors.Is(err, structured.ErrNoModel) {
			t.Error(err)
		}
	}
	for _, client := range []*gemini.Client{nil, new(gemini.Client)} {
		if _, err := structured.Generate[verdict](t.Context(), client, question()); err == nil {
			t.Error("a client that was not made has answered")
		}
	}
}

// silent is a faulty model that returns neither an answer nor an error.
type silent struct{}

func (silent) GenerateContent(context.Context, *geminiapi.GenerateContentRequest,
	...modelOption) (*geminiapi.GenerateContentResponse, error) {
	return nil, nil
}

func (silent) StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest,
	...modelOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) { yield(nil, nil) }
}

func TestAModelThatSaysNothingIsAnError(t *testing.T) {
	t.Parallel()
	isWrong := func(err error) bool { _, ok := errors.AsType[*structured.GenerateError](err); return ok }
	if _, err := structured.Generate[verdict](t.Context(), silent{}, nil); !isWrong(err) {
		t.Error(err)
	}
	for _, err := range structured.GenerateStream[verdict](t.Context(), silent{}, nil) {
		if !isWrong(err) {
			t.Error(err)
		}
	}
}

func TestNilOptionsAndFunctionsOfGenerateDoNothing(t *testing.T) {
	t.Parallel()
	m := answering(said(`{"verdict":"accept","reasons":["clear",]}`))
	answer, err := structured.Generate[verdict](t.Context(), m, question(),
		nil, structured.WithTry(nil), structured.WithCheck(nil), structured.WithRepair(nil),
		structured.WithCorrections(-1))
	if err != nil || !answer.Complete {
		t.Errorf("%+v, %v", answer, err)
	}
	if _, err := structured.Parse[verdict](good, nil); err != nil {
		t.Error(err)
	}
}

func TestZeroErrorsHaveAText(t *testing.T) {
	t.Parallel()
	for _, err := range []error{&structured.GenerateError{}, &structured.NoTextError{}} {
		if err.Error() == "" {
			t.Errorf("%T has no text", err)
		}
	}
}

func TestAnAnswerWithoutATextOrAReasonIsAnErrorAllTheSame(t *testing.T) {
	t.Parallel()
	for name, response := range map[string]*geminiapi.GenerateContentResponse{
		"nothing":                {},
		"a candidate of nothing": {Candidates: []geminiapi.Candidate{{}}},
		"feedback of nothing":    {PromptFeedback: &geminiapi.PromptFeedback{}},
		"both":                   {Candidates: []geminiapi.Candidate{{}}, PromptFeedback: &geminiapi.PromptFeedback{}},
	} {
		if got := (&structured.NoTextError{Response: response}).Error(); got != "structured: no text" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTypesOfEveryKindHaveAnAnswerOrAnErrorBeforeAnythingIsAsked(t *testing.T) {
	t.Parallel()
	anything, err := structured.Generate[any](t.Context(), answering(said(good)), question())
	if err != nil || anything.Value.(map[string]any)["verdict"] != "accept" {
		t.Errorf("%+v, %v", anything, err)
	}
	list, err := structured.Generate[[]verdict](t.Context(), answering(said(`[`+good+`]`)),
		question())
	if err != nil || len(list.Value) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	text, err := structured.Generate[string](t.Context(), answering(said(`"yes"`)), question())
	if err != nil || text.Value != "yes" {
		t.Errorf("%+v, %v", text, err)
	}
	asked := answering(said(good))
	if _, err := structured.Generate[error](t.Context(), asked, question()); err == nil {
		t.Error("an interface with methods cannot be read")
	}
	if _, err := structured.Generate[struct{ F func() }](t.Context(), asked,
		question()); err == nil {
		t.Error("a function cannot be read")
	}
	if len(asked.requests) != 0 {
		t.Errorf("asked %d times", len(asked.requests))
	}
}

func TestAnAnswerThatIsCutByMaxTokensIsAskedForAgainAndMendedOnlyOnRequest(t *testing.T) {
	t.Parallel()
	cut := `{"candidates":[{"content":{"role":"model","parts":[{"text":"{\"verdict\":\"accept\",\"reasons\":[\"cl"}]},"finishReason":"MAX_TOKENS"}]}`
	m := answering(cut, cut, cut)
	_, err := structured.Generate[verdict](t.Context(), m, question())
	if _, ok := errors.AsType[*structured.TruncatedError](err); !ok || len(m.requests) != 3 {
		t.Errorf("%v, %d requests", err, len(m.requests))
	}
	mended, err := structured.Generate[verdict](t.Context(), answering(cut), question(),
		structured.WithRepair(nil))
	if err != nil || !cmp.Equal(mended.Value.Reasons, []string{"cl"}) {
		t.Errorf("%+v, %v", mended, err)
	}
}

func TestARefusalInTextIsRetried(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"of the answer": `{"candidates":[{"content":{"parts":[{"text":"I cannot"}]},"finishReason":"SAFETY"}]}`,
		"of the prompt": `{"promptFeedback":{"blockReason":"SAFETY"},"candidates":[{"content":{"parts":[{"text":"I cannot"}]}}]}`,
	} {
		m := answering(answer, said(good))
		if value, err := structured.Generate[verdict](t.Context(), m, question()); err != nil ||
			value.Try != 2 {
			t.Errorf("%s: %+v, %v", name, value, err)
		}
	}
}
