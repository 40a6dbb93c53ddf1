package toolloop_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/toolloop"
	"github.com/go-json-experiment/json/jsontext"
)

// nilError is an error whose Error method panics for a nil pointer.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

func TestResultsOfEveryKindReachTheModel(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 10<<20)
	for name, test := range map[string]struct {
		result any
		want   string
	}{
		"nothing":         {nil, `{"output":null}`},
		"a large one":     {large, `{"output":"` + large + `"}`},
		"a channel":       {make(chan int), `{"error":`},
		"a function":      {func() {}, `{"error":`},
		"no number":       {math.NaN(), `{"error":`},
		"an infinite":     {math.Inf(1), `{"error":`},
		"no UTF-8":        {"caf\xe9", `{"error":`},
		"JSON of its own": {jsontext.Value(`{"a":1}`), `{"a":1}`},
		"no JSON":         {jsontext.Value(`{"a":`), `{"error":`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool := toolloop.Func("get_weather", "",
				func(context.Context, place) (any, error) { return test.result, nil })
			m := answering(call, answer)
			result, err := newLoop(t, m, []toolloop.Tool{tool}).Run(t.Context(), question())
			if err != nil || result.Text() != "It is sunny." {
				t.Fatal(err)
			}
			got := string(result.Contents[2].Parts[0].FunctionResponse.Response)
			if !strings.HasPrefix(got, test.want) ||
				strings.HasPrefix(test.want, `{"error"`) != (result.Steps[0].Calls[0].Err != nil) {
				t.Errorf("%.200s, %v", got, result.Steps[0].Calls[0].Err)
			}
		})
	}
}

func TestAHandlerThatReturnsNonsenseIsReportedToTheModel(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		response *geminiapi.FunctionResponse
		err      error
		want     string
	}{
		"an empty one":                   {&geminiapi.FunctionResponse{}, nil, ``},
		"no JSON":                        {&geminiapi.FunctionResponse{Response: jsontext.Value(`{"a":`)}, nil, `{"error":"the result is not JSON"}`},
		"an error that is a nil pointer": {nil, (*nilError)(nil), `{"error":"panic: runtime error: invalid memory address or nil pointer dereference"}`},
		"both":                           {&geminiapi.FunctionResponse{Response: jsontext.Value(`{"a":1}`)}, fmt.Errorf("half"), `{"error":"half"}`},
		"another name and id": {&geminiapi.FunctionResponse{ID: new("other"), Name: new("other"),
			Response: jsontext.Value(`{"a":1}`)}, nil,
			`{"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool := toolloop.Tool{Declaration: sunny.Declaration,
				Handle: func(context.Context, *geminiapi.FunctionCall) (*geminiapi.FunctionResponse,
					error) {
					return test.response, test.err
				}}
			result, err := newLoop(t, answering(call, answer),
				[]toolloop.Tool{tool}).Run(t.Context(), question())
			if err != nil {
				t.Fatal(err)
			}
			got := result.Contents[2].Parts[0].FunctionResponse
			if string(got.Response) != test.want || *got.ID != "c1" || *got.Name != "get_weather" {
				t.Errorf("%s, want %s", got.Response, test.want)
			}
		})
	}
}

func TestAHundredCallsRunThreeAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var cities []string
		for i := range 100 {
			cities = append(cities, fmt.Sprintf("city-%d", i))
		}
		var now, most atomic.Int32
		tool := weather(func(_ context.Context, p place) (string, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Second)
			now.Add(-1)
			return p.City, nil
		})
		begin := time.Now()
		result, err := newLoop(t, answering(calls(cities...), answer), []toolloop.Tool{tool},
			toolloop.WithParallelCalls(3)).Run(t.Context(), question())
		if err != nil || most.Load() != 3 || time.Since(begin) != 34*time.Second {
			t.Fatalf("%v, %d at once, %v", err, most.Load(), time.Since(begin))
		}
		for i, part := range result.Contents[2].Parts {
			if *part.FunctionResponse.ID != cities[i] {
				t.Errorf("result %d is of %s", i, *part.FunctionResponse.ID)
			}
		}
	})
}

func TestCallsWithoutIDsAndWithOneIDAreAnsweredInTheirOrder(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{"none": "", "the same": `"id":"c1",`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			part := func(city string) string {
				return `{"functionCall":{` + id + `"name":"get_weather","args":{"city":"` + city +
					`"}}}`
			}
			turn := `{"candidates":[{"content":{"role":"model","parts":[` + part("a") + `,` +
				part("b") + `]},"finishReason":"STOP"}]}`
			result, err := newLoop(t, answering(turn, answer),
				[]toolloop.Tool{sunny}).Run(t.Context(), question())
			if err != nil {
				t.Fatal(err)
			}
			for i, city := range []string{"a", "b"} {
				got := result.Contents[2].Parts[i].FunctionResponse
				if string(got.Response) != `{"output":"sunny in `+city+`"}` ||
					(got.ID != nil) != (id != "") {
					t.Errorf("%+v", got)
				}
			}
			of := result.Steps[0].Calls
			if id == "" && (len(of[0].ID) != 22 || of[0].ID == of[1].ID) {
				t.Errorf("made ids are %q and %q", of[0].ID, of[1].ID)
			}
		})
	}
}

func TestAToolMayRunALoopOfItsOwn(t *testing.T) {
	t.Parallel()
	inner := newLoop(t, answering(call, answer), []toolloop.Tool{sunny})
	var outer *toolloop.Loop
	depth := 0
	ask := toolloop.Func("get_weather", "Asks another model.",
		func(ctx context.Context, _ place) (string, error) {
			if depth++; depth == 1 { // the same loop once more
				result, err := outer.Run(ctx, question())
				return "again: " + result.Text(), err
			}
			result, err := inner.Run(ctx, question())
			return result.Text(), err
		})
	outer = newLoop(t, answering(call, call, answer, answer), []toolloop.Tool{ask})
	result, err := outer.Run(t.Context(), question())
	if err != nil || string(result.Contents[2].Parts[0].FunctionResponse.Response) != `{"output":"again: It is sunny."}` ||
		depth != 2 {
		t.Errorf("%v, %+v", err, result)
	}
}

func TestNegativeTimesAreIgnored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := weather(func(context.Context, place) (string,
			error) {
			time.Sleep(time.Hour)
			return "sunny", nil
		})
		result, err := newLoop(t, answering(call, answer), []toolloop.Tool{slow},
			toolloop.WithTimeout(-time.Second), toolloop.WithToolTimeout(-time.Second),
			toolloop.WithMaxSteps(-1), toolloop.WithParallelCalls(-1),
		).Run(t.Context(), question())
		if err != nil || result.Steps[0].Calls[0].Err != nil {
			t.Errorf("%v, %+v", err, result)
		}
	})
}

func TestNilOptionsAndFunctionsDoNothing(t *testing.T) {
	t.Parallel()
	loop, err := toolloop.New(answering(call, answer), []toolloop.Tool{sunny}, nil,
		toolloop.WithStep(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if result, err := loop.Run(t.Context(), question(), nil); err != nil || len(result.Steps) != 2 {
		t.Errorf("%v, %+v", err, result)
	}
}

// A nil client in the interface also causes a typed error.
func TestAModelThatIsANilPointerIsAnErrorOfTheRun(t *testing.T) {
	t.Parallel()
	for _, client := range []*gemini.Client{nil, new(gemini.Client)} {
		loop, err := toolloop.New(client, []toolloop.Tool{sunny})
		if err != nil {
			t.Fatal(err)
		}
		if result, err := loop.Run(t.Context(), question()); err == nil || len(result.Steps) != 0 {
			t.Errorf("%v, %+v", err, result)
		}
		for event, err := range loop.Stream(t.Context(), question()) {
			if err == nil && event.Delta == nil {
				t.Errorf("%+v", event)
			}
		}
	}
}

func TestAModelThatSaysNothingAtAllIsAnAnswer(t *testing.T) {
	t.Parallel()
	loop, err := toolloop.New(silent{}, []toolloop.Tool{sunny})
	if err != nil {
		t.Fatal(err)
	}
	if result, err := loop.Run(t.Context(), question()); err != nil || result.Text() != "" ||
		len(result.Contents) != 1 {
		t.Errorf("%v, %+v", err, result)
	}
	for event, err := range loop.Stream(t.Context(), question()) {
		if err == nil && event.Call != nil {
			t.Errorf("%+v", event)
		}
	}
}
