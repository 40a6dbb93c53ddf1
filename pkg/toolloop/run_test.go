package toolloop_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/toolloop"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestRunAnswersCallsUntilTheModelAnswers(t *testing.T) {
	t.Parallel()
	m := answering(call, call, answer)
	result, err := newLoop(t, m, []toolloop.Tool{sunny}).Run(t.Context(), question())
	if err != nil || result.Text() != "It is sunny." || len(result.Steps) != 3 {
		t.Fatalf("%+v, %v", result, err)
	}
	wantJSON(t, `[{"functionDeclarations":[{"description":"Tells the weather.","name":"get_weather","parametersJsonSchema":
		{"type":"object","properties":{"city":{"type":"string","minLength":1}},"required":["city"],"additionalProperties":false}}]}]`,
		m.request(t, 0, "tools"))
	wantJSON(t, `[
		{"parts":[{"text":"How warm is it?"}],"role":"user"},
		{"parts":[{"functionCall":{"args":{"city":"Porto"},"id":"c1","name":"get_weather"}}],"role":"model"},
		{"parts":[{"functionResponse":{"id":"c1","name":"get_weather","response":{"output":"sunny in Porto"}}}],"role":"user"}
	]`, m.request(t, 1, "contents"))
	if len(result.Contents) != 6 || *result.Contents[5].Parts[0].Text != "It is sunny." {
		t.Errorf("%d turns", len(result.Contents))
	}
	if got := (normalize.Usage{InputTokens: 40, OutputTokens: 8,
		TotalTokens: 48}); result.Usage != got {
		t.Errorf("%+v", result.Usage)
	}
}

func TestCallsOfTheFirstCandidateRunWhereverItStands(t *testing.T) {
	t.Parallel()
	for name, indexes := range map[string][2]int{"swapped": {1, 0}, "without 0": {2, 1}} {
		swapped := fmt.Sprintf(`{"candidates":[{"index":%d,"content":{"role":"model","parts":[{"text":"x"}]},"finishReason":"STOP"},{"index":%d,`,
			indexes[0], indexes[1]) +
			strings.TrimPrefix(call, `{"candidates":[{`)
		m := answering(swapped, answer)
		result, err := newLoop(t, m, []toolloop.Tool{sunny}).Run(t.Context(), question())
		if err != nil || len(result.Steps) != 2 {
			t.Fatalf("%s: %+v, %v", name, result, err)
		}
		wantJSON(t, `[
			{"parts":[{"text":"How warm is it?"}],"role":"user"},
			{"parts":[{"functionCall":{"args":{"city":"Porto"},"id":"c1","name":"get_weather"}}],"role":"model"},
			{"parts":[{"functionResponse":{"id":"c1","name":"get_weather","response":{"output":"sunny in Porto"}}}],"role":"user"}
		]`, m.request(t, 1, "contents"))
	}
}

// signed is a turn with everything that must be sent back unchanged.
const signed = `{"role":"model","unknownOfContent":1,"parts":[
	{"text":"Two cities, then.","thought":true},
	{"text":"Let me look.","thoughtSignature":"c2lnMA=="},
	{"functionCall":{"args":{"city":"Porto","of":12345678901234567890},"id":"c1","name":"get_weather"},"thoughtSignature":"c2lnMQ==","unknownOfPart":{"a":[1]}},
	{"functionCall":{"args":{"city":"Faro"},"id":"c2","name":"get_weather","unknownOfCall":true}},
	{"text":"","thoughtSignature":"c2lnMg=="}]}`

func TestTheModelsTurnGoesBackAsItCame(t *testing.T) {
	t.Parallel()
	whole := `{"candidates":[{"content":` + signed + `,"finishReason":"STOP"}]}`
	content, err := gemini.DecodeResponse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	var pieces []string
	for _, part := range content.Candidates[0].Content.Parts {
		chunk := geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{
			Role: new("model"), Parts: []geminiapi.Part{part},
			Unknown: content.Candidates[0].Content.Unknown,
		}}}}
		text, err := gemini.EncodeResponse(&chunk)
		if err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, string(text))
	}
	pieces = append(pieces, `{"candidates":[{"finishReason":"STOP"}]}`)

	m := answering(whole, answer)
	if _, err := newLoop(t, m, []toolloop.Tool{sunny}).Run(t.Context(), question()); err != nil {
		t.Fatal(err)
	}
	streamed := &model{answers: [][]string{pieces, {answer}}}
	for _, err := range newLoop(t, streamed, []toolloop.Tool{sunny}).Stream(t.Context(),
		question()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []*model{m, streamed} {
		request, err := gemini.DecodeRequest([]byte(m.requests[1]))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(content.Candidates[0].Content, &request.Contents[1]); diff != "" {
			t.Error(diff)
		}
		if n := len(request.Contents[2].Parts); n != 2 {
			t.Errorf("%d results", n)
		}
	}
}

// calls returns an answer with calls of a function by city.
func calls(cities ...string) string {
	var parts []string
	for _, city := range cities {
		parts = append(parts,
			`{"functionCall":{"id":"`+city+`","name":"get_weather","args":{"city":"`+city+`"}}}`)
	}
	return `{"candidates":[{"content":{"role":"model","parts":[` + strings.Join(parts, ",") +
		`]},"finishReason":"STOP"}]}`
}

func TestParallelCallsRunAtOnceWithinTheLimitAndKeepTheirOrder(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		opts []toolloop.Option
		// The first of six calls takes six seconds, the last one takes one second.
		want time.Duration
	}{
		"by default":             {nil, 6 * time.Second},
		"two at once":            {[]toolloop.Option{toolloop.WithParallelCalls(2)}, 11 * time.Second},
		"one by one":             {[]toolloop.Option{toolloop.WithParallelCalls(1)}, 21 * time.Second},
		"no limit counts as one": {[]toolloop.Option{toolloop.WithParallelCalls(0)}, 21 * time.Second},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				slow := weather(func(_ context.Context, p place) (string, error) {
					time.Sleep(time.Duration('g'-p.City[0]) * time.Second)
					return p.City, nil
				})
				m := answering(calls("a", "b", "c", "d", "e", "f"), answer)
				begin := time.Now()
				result, err := newLoop(t, m, []toolloop.Tool{slow}, test.opts...).Run(t.Context(),
					question())
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(begin); took != test.want {
					t.Errorf("%v, want %v", took, test.want)
				}
				var ids []string
				for _, part := range result.Contents[2].Parts {
					ids = append(ids,
						*part.FunctionResponse.ID+string(part.FunctionResponse.Response))
				}
				want := []string{`a{"output":"a"}`, `b{"output":"b"}`, `c{"output":"c"}`,
					`d{"output":"d"}`, `e{"output":"e"}`, `f{"output":"f"}`}
				if diff := cmp.Diff(want, ids); diff != "" {
					t.Error(diff)
				}
				if took := result.Steps[0].Calls[0].Duration; took != 6*time.Second {
					t.Errorf("%v", took)
				}
			})
		})
	}
}

func TestAFailureOfAToolIsReportedToTheModel(t *testing.T) {
	t.Parallel()
	var none []int
	unavailable := errors.New("the station does not answer")
	tests := map[string]struct {
		tool     toolloop.Tool
		args     string
		want     string
		wantErr  func(error) bool
		toolName string
	}{
		"an error": {
			tool: weather(func(context.Context, place) (string,
				error) {
				return "", unavailable
			}),
			want:    `{"error":"the station does not answer"}`,
			wantErr: func(err error) bool { return errors.Is(err, unavailable) },
		},
		"an error whose text is not UTF-8": {
			tool: weather(func(context.Context, place) (string,
				error) {
				return "", errors.New("caf\xe9")
			}),
			want:    "{\"error\":\"caf\uFFFD\"}",
			wantErr: func(err error) bool { return err.Error() == "caf\xe9" },
		},
		"a panic": {
			tool: weather(func(context.Context, place) (string,
				error) {
				panic("the key is k")
			}),
			want:    `{"error":"panic with a value of type string"}`,
			wantErr: is[*toolloop.PanicError],
		},
		"a runtime error": {
			tool: weather(func(context.Context, place) (string,
				error) {
				return string(rune(none[3])), nil
			}),
			want:    `{"error":"panic: runtime error: index out of range [3] with length 0"}`,
			wantErr: is[*toolloop.PanicError],
		},
		"arguments of another type": {
			tool: sunny, args: `{"city":7}`,
			want:    `{"error":"arguments of get_weather: structured: /city: line 1, column 9 (offset 8): expected a string, found 7"}`,
			wantErr: is[*toolloop.ArgumentsError],
		},
		"no arguments": {
			tool: sunny, args: `{}`,
			want:    `{"error":"arguments of get_weather: structured: invalid: /city: line 1, column 1 (offset 0): must be set"}`,
			wantErr: is[*toolloop.ArgumentsError],
		},
		"another function": {
			tool: sunny, toolName: "weather",
			want:    `{"error":"no function \"weather\"; expected one of \"get_weather\""}`,
			wantErr: is[*toolloop.UnknownFunctionError],
		},
		"a tool without a result": {
			tool: toolloop.Tool{Declaration: sunny.Declaration,
				Handle: func(context.Context, *geminiapi.FunctionCall) (*geminiapi.FunctionResponse,
					error) {
					return nil, nil
				}},
			want: `{"error":"no result"}`, wantErr: func(err error) bool { return err != nil },
		},
		"a tool that ends its goroutine": {
			tool: weather(func(context.Context, place) (string,
				error) {
				runtime.Goexit()
				return "", nil
			}),
			want: `{"error":"no result"}`, wantErr: func(err error) bool { return err != nil },
		},
		"a tool that takes too long": {
			tool: weather(func(ctx context.Context, _ place) (string,
				error) {
				<-ctx.Done()
				return "", ctx.Err()
			}),
			want: `{"error":"no result within 5s"}`, wantErr: is[*toolloop.ToolTimeoutError],
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				turn := call
				if test.args != "" {
					turn = strings.Replace(turn, `{"city":"Porto"}`, test.args, 1)
				}
				if test.toolName != "" {
					turn = strings.Replace(turn, "get_weather", test.toolName, 1)
				}
				m := answering(turn, answer)
				result, err := newLoop(t, m, []toolloop.Tool{test.tool},
					toolloop.WithToolTimeout(5*time.Second)).Run(t.Context(), question())
				if err != nil {
					t.Fatal(err)
				}
				response := result.Contents[2].Parts[0].FunctionResponse
				if string(response.Response) != test.want || *response.ID != "c1" {
					t.Errorf("got %s, want %s", response.Response, test.want)
				}
				if got := result.Steps[0].Calls[0].Err; !test.wantErr(got) {
					t.Errorf("%v", got)
				}
			})
		})
	}
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func TestARunEndsAtTheLimitOfSteps(t *testing.T) {
	t.Parallel()
	m := answering(call, call, call, call)
	seen := 0
	count := toolloop.WithStep(func(s toolloop.Step) error { seen = s.Number; return nil })
	result, err := newLoop(t, m, []toolloop.Tool{sunny}, toolloop.WithMaxSteps(2),
		count).Run(t.Context(), question())
	limit, ok := errors.AsType[*toolloop.LimitError](err)
	if !ok || limit.Steps != 2 || err.Error() != "toolloop: no answer after 2 steps" {
		t.Fatal(err)
	}
	if seen != 2 || len(result.Steps) != 2 || len(result.Contents) != 3 ||
		result.Steps[1].Calls[0].Response != nil {
		t.Errorf("%d steps, %d turns", len(result.Steps), len(result.Contents))
	}
}

func TestARunMayHaveOneStep(t *testing.T) {
	t.Parallel()
	for steps, isLimited := range map[int]bool{1: true, 0: false} { // 0 is the default
		_, err := newLoop(t, answering(call, answer), []toolloop.Tool{sunny},
			toolloop.WithMaxSteps(steps)).Run(t.Context(), question())
		if is[*toolloop.LimitError](err) != isLimited {
			t.Errorf("%d steps: %v", steps, err)
		}
	}
}

func TestArgumentsOfAnyNamesHaveASchema(t *testing.T) {
	t.Parallel()
	anything := toolloop.Func("get_weather", "",
		func(context.Context, map[string]int) (string, error) { return "sunny", nil })
	nothing := toolloop.Func("do_nothing", "",
		func(context.Context, struct{}) (string, error) { return "done", nil })
	m := answering(answer)
	if _, err := newLoop(t, m, []toolloop.Tool{anything, nothing}).Run(t.Context(),
		question()); err != nil {
		t.Fatal(err)
	}
	wantJSON(t, `[{"functionDeclarations":[
		{"name":"get_weather","parametersJsonSchema":{"type":"object","additionalProperties":{"type":"integer"}}},{"name":"do_nothing"}]}]`,
		m.request(t, 0, "tools"))
}

func TestTheLastStepMayBeTheAnswer(t *testing.T) {
	t.Parallel()
	m := answering(call, answer)
	if _, err := newLoop(t, m, []toolloop.Tool{sunny}, toolloop.WithMaxSteps(2)).Run(t.Context(),
		question()); err != nil {
		t.Error(err)
	}
}

func TestARunEndsWithItsTime(t *testing.T) {
	t.Parallel()
	slow := weather(func(ctx context.Context, _ place) (string, error) {
		select {
		case <-time.After(time.Minute):
		case <-ctx.Done():
		}
		return "", ctx.Err()
	})
	for name, test := range map[string]struct {
		opts []toolloop.Option
		ctx  func(context.Context) (context.Context, context.CancelFunc)
	}{
		"of the loop": {[]toolloop.Option{toolloop.WithTimeout(time.Second)}, context.WithCancel},
		"of the context": {nil, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Second)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := test.ctx(t.Context())
				defer cancel()
				begin := time.Now()
				m := answering(call, answer)
				result, err := newLoop(t, m, []toolloop.Tool{slow}, test.opts...).Run(ctx,
					question())
				if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
					t.Errorf("%v after %v", err, time.Since(begin))
				}
				if len(result.Contents) != 1 || len(result.Steps) != 1 {
					t.Errorf("%d turns, %d steps", len(result.Contents), len(result.Steps))
				}
			})
		})
	}
}

func TestCallsThatHaveNotBegunWhenTheContextEndsAreNotRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	var ran []string
	tool := weather(func(_ context.Context, p place) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, p.City)
		cancel()
		return "", nil
	})
	m := answering(calls("a", "b", "c"), answer)
	_, err := newLoop(t, m, []toolloop.Tool{tool}, toolloop.WithParallelCalls(1)).Run(ctx,
		question())
	if !errors.Is(err, context.Canceled) || !slices.Equal(ran, []string{"a"}) {
		t.Errorf("%v, %v", err, ran)
	}
}

func TestAnAnswerCountsIfTheContextEndsAfterIt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	loop := newLoop(t, answering(answer), nil,
		toolloop.WithStep(func(toolloop.Step) error { return nil }))
	cancel() // the model in memory does not heed it
	if result, err := loop.Run(ctx, question()); err != nil || result.Text() == "" {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestEveryStepIsVisible(t *testing.T) {
	t.Parallel()
	var seen []string
	onStep := func(s toolloop.Step) error {
		line := s.Answer.Text()
		for _, call := range s.Calls {
			line += *call.FunctionCall.Name + string(call.Response.Response)
		}
		seen = append(seen, line)
		return nil
	}
	m := answering(call, answer)
	if _, err := newLoop(t, m, []toolloop.Tool{sunny}, toolloop.WithStep(onStep)).Run(t.Context(),
		question()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`get_weather{"output":"sunny in Porto"}`, "It is sunny."},
		seen); diff != "" {
		t.Error(diff)
	}
}

func TestAnErrorOfTheStepFunctionEndsTheRun(t *testing.T) {
	t.Parallel()
	enough := errors.New("enough")
	m := answering(call, answer)
	result, err := newLoop(t, m, []toolloop.Tool{sunny},
		toolloop.WithStep(func(toolloop.Step) error { return enough })).Run(t.Context(), question())
	if !errors.Is(err, enough) || len(result.Contents) != 3 || len(m.requests) != 1 {
		t.Errorf("%v, %d turns", err, len(result.Contents))
	}
}

func TestAnUnusableAnswerEndsTheRun(t *testing.T) {
	t.Parallel()
	blocked := `{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}`
	malformed := `{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(get_weather"}]}`
	filtered := `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"get_weather"}}]},"finishReason":"SAFETY"}]}`
	incomplete := `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"get_weather","willContinue":true}}]},"finishReason":"MAX_TOKENS"}]}`
	for text, want := range map[string]func(error) bool{
		blocked:    is[*normalize.BlockedError],
		malformed:  is[*toolloop.FinishError],
		filtered:   is[*toolloop.FinishError],
		incomplete: func(err error) bool { return errors.Is(err, toolloop.ErrIncompleteCall) },
	} {
		m := answering(text, answer)
		result, err := newLoop(t, m, []toolloop.Tool{sunny}).Run(t.Context(), question())
		if !want(err) || len(result.Contents) != 1 || len(m.requests) != 1 {
			t.Errorf("%s: %v, %+v", text, err, result)
		}
		if text == blocked && result.Usage.TotalTokens != 3 {
			t.Errorf("%+v", result.Usage)
		}
	}
	wantText := "toolloop: the model ended with MALFORMED_FUNCTION_CALL: print(get_weather"
	if _, err := newLoop(t, answering(malformed), nil).Run(t.Context(),
		question()); err.Error() != wantText {
		t.Error(err)
	}
}

func TestAnAnswerThatIsEmptyOrCutOffIsAnAnswer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, `{"candidates":[{"finishReason":"STOP"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"It"}]},"finishReason":"MAX_TOKENS"}]}`} {
		if _, err := newLoop(t, answering(text), []toolloop.Tool{sunny}).Run(t.Context(),
			question()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAFailedRequestEndsTheRunWithWhatCameBefore(t *testing.T) {
	t.Parallel()
	result, err := newLoop(t, answering(call), []toolloop.Tool{sunny}).Run(t.Context(), question())
	if !errors.Is(err, errNoAnswer) || len(result.Contents) != 3 || len(result.Steps) != 1 {
		t.Errorf("%v, %+v", err, result)
	}
}

func TestForcedCallsAreForcedOnce(t *testing.T) {
	t.Parallel()
	m := answering(call, answer)
	request := question()
	request.ToolConfig = &geminiapi.ToolConfig{
		FunctionCallingConfig: &geminiapi.FunctionCallingConfig{
			Mode:                 new(geminiapi.FunctionCallingModeAny),
			AllowedFunctionNames: []string{"get_weather"},
		},
		RetrievalConfig: &geminiapi.RetrievalConfig{LanguageCode: new("pt")},
	}
	if _, err := newLoop(t, m, []toolloop.Tool{sunny}).Run(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	wantJSON(t, `{"functionCallingConfig":{"allowedFunctionNames":["get_weather"],"mode":"ANY"},"retrievalConfig":{"languageCode":"pt"}}`,
		m.request(t, 0, "toolConfig"))
	wantJSON(t, `{"functionCallingConfig":{"mode":"AUTO"},"retrievalConfig":{"languageCode":"pt"}}`,
		m.request(t, 1, "toolConfig"))
}

// After the first calls, only a mode that forces a call is reset.
func TestOtherToolConfigsStayInEachRequest(t *testing.T) {
	t.Parallel()
	const allowed = `"allowedFunctionNames":["get_weather"]`
	for name, config := range map[string]string{
		"validated calls":        `{"functionCallingConfig":{` + allowed + `,"mode":"VALIDATED"}}`,
		"free calls":             `{"functionCallingConfig":{"mode":"AUTO"}}`,
		"no mode":                `{"functionCallingConfig":{}}`,
		"no settings for calls":  `{"retrievalConfig":{"languageCode":"pt"}}`,
		"no settings whatsoever": `{}`,
	} {
		m := answering(call, answer)
		request := question()
		request.ToolConfig = &geminiapi.ToolConfig{}
		if err := json.Unmarshal([]byte(config), request.ToolConfig); err != nil {
			t.Fatal(err)
		}
		if _, err := newLoop(t, m, []toolloop.Tool{sunny}).Run(t.Context(), request); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wantJSON(t, config, m.request(t, 1, "toolConfig"))
	}
}

func TestARunChangesNothingOfTheRequest(t *testing.T) {
	t.Parallel()
	request := question()
	request.Tools = append(make([]geminiapi.Tool, 0, 4),
		geminiapi.Tool{GoogleSearch: &geminiapi.GoogleSearch{}})
	request.Contents = append(make([]geminiapi.Content, 0, 8), request.Contents...)
	before, err := gemini.EncodeRequest(request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newLoop(t, answering(call, answer), []toolloop.Tool{sunny}).Run(t.Context(),
		request); err != nil {
		t.Fatal(err)
	}
	after, err := gemini.EncodeRequest(request)
	if err != nil || string(before) != string(after) {
		t.Errorf("%s, %v", after, err)
	}
	if request.Tools[:2][1].FunctionDeclarations != nil || request.Contents[:2][1].Parts != nil {
		t.Error("the room after a list was written to")
	}
}

func TestNewRefusesToolsThatCannotBeCalled(t *testing.T) {
	t.Parallel()
	noName := toolloop.Tool{Handle: sunny.Handle}
	noHandle := toolloop.Tool{Declaration: sunny.Declaration}
	noObject := toolloop.Func("f", "",
		func(context.Context, string) (string, error) { return "", nil })
	noJSON := toolloop.Func("f", "",
		func(context.Context, struct{ C chan int }) (string, error) { return "", nil })
	noFunction := toolloop.Func[struct{}, string]("f", "", nil)
	long := strings.Repeat("a", 129)
	named := func(name string) toolloop.Tool {
		return toolloop.Tool{Declaration: geminiapi.FunctionDeclaration{Name: &name},
			Handle: sunny.Handle}
	}
	for want, tools := range map[string][]toolloop.Tool{
		`toolloop: tool 0, "f": its function is nil`: {noFunction},
		`toolloop: tool 1, "bad name": "bad name" is not a function name; must begin with a letter or underscore, followed by letters, ` +
			"digits, underscores, dots, colons or dashes": {sunny, named("bad name")},
		`toolloop: tool 0, "` + long +
			`": the name has 129 characters; must have 128 at most`: {named(long)},
		"toolloop: tool 0: it has no name":                                     {noName},
		"toolloop: tool 1: it has no name":                                     {sunny, {}},
		`toolloop: tool 0, "get_weather": it has no Handle`:                    {noHandle},
		`toolloop: tool 1, "get_weather": an earlier tool has the same name`:   {sunny, sunny},
		`toolloop: tool 0, "f": its arguments: they must be a struct or a map`: {noObject},
	} {
		if _, err := toolloop.New(answering(answer), tools); !is[*toolloop.ToolError](err) ||
			err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := toolloop.New(answering(answer), []toolloop.Tool{noJSON})
	if !is[*toolloop.ToolError](err) ||
		!strings.HasPrefix(err.Error(), `toolloop: tool 0, "f": its arguments: `) {
		t.Error(err)
	}
}

func TestALoopThatIsNotMadeSaysSo(t *testing.T) {
	t.Parallel()
	if _, err := toolloop.New(nil, []toolloop.Tool{sunny}); !errors.Is(err, toolloop.ErrNoModel) {
		t.Error(err)
	}
	want := toolloop.ErrNotMade
	for _, loop := range []*toolloop.Loop{nil, new(toolloop.Loop)} {
		if _, err := loop.Run(t.Context(), question()); !errors.Is(err, want) {
			t.Errorf("Run: %v", err)
		}
		for _, err := range loop.Stream(t.Context(), question()) {
			if !errors.Is(err, want) {
				t.Errorf("Stream: %v", err)
			}
		}
	}
}

func TestANumberOfStepsBelowOneIsTheDefault(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, -1} {
		loop, err := toolloop.New(answering(call, answer), []toolloop.Tool{sunny},
			toolloop.WithMaxSteps(n))
		if err != nil {
			t.Fatal(err)
		}
		if result, err := loop.Run(t.Context(), question()); err != nil || len(result.Steps) != 2 {
			t.Errorf("%d steps at most: %v", n, err)
		}
	}
}

func TestARequestMustNotDeclareFunctions(t *testing.T) {
	t.Parallel()
	request := question()
	request.Tools = []geminiapi.Tool{{GoogleSearch: &geminiapi.GoogleSearch{}},
		gemini.FunctionTool(sunny.Declaration)}
	loop := newLoop(t, answering(answer), nil)
	want := `toolloop: /tools/1/functionDeclarations: the request declares "get_weather", which no tool answers; expected functions to be tools of the loop`
	_, err := loop.Run(t.Context(), request)
	refused, ok := errors.AsType[*toolloop.RequestError](err)
	if !ok || err.Error() != want {
		t.Fatal(err)
	}
	if pointer, offset := refused.Location(); pointer != "/tools/1/functionDeclarations" ||
		offset != -1 || !strings.HasSuffix(want, refused.Reason()) {
		t.Errorf("%s, %d, %s", pointer, offset, refused.Reason())
	}
	result, err := loop.Run(t.Context(), nil)
	if !is[*toolloop.RequestError](err) || err.Error() != "toolloop: no request" {
		t.Errorf("no request: %v", err)
	}
	if result.Text() != "" {
		t.Error("the result of a request that is refused has a text")
	}
}

func TestAFunctionWithoutArgumentsHasNoParameters(t *testing.T) {
	t.Parallel()
	now := toolloop.Func("now", "Tells the time.",
		func(context.Context, struct{}) (string, error) { return "noon", nil })
	if now.Declaration.ParametersJSONSchema != nil {
		t.Errorf("%s", now.Declaration.ParametersJSONSchema)
	}
	turn := `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"now"}}]},"finishReason":"STOP"}]}`
	result, err := newLoop(t, answering(turn, answer), []toolloop.Tool{now}).Run(t.Context(),
		question())
	if err != nil || string(result.Contents[2].Parts[0].FunctionResponse.Response) != `{"output":"noon"}` {
		t.Errorf("%v, %v", result, err)
	}
}
