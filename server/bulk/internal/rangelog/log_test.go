package rangelog_test

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func claimed(t *testing.T, e *engine.Engine) *rangelog.Log {
	t.Helper()
	l, err := rangelog.Open(t.Context(), e, "job", 7)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Claim(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

// answers are results of lines, with a body that names the worker.
func answers(who string, numbers ...int) []line.Result {
	var all []line.Result
	for _, n := range numbers {
		all = append(all, line.Result{
			Number: n, CustomID: "q", Usage: line.Usage{Cost: 1},
			Response: &line.Response{Status: 200, Body: jsontext.Value(`"` + who + `"`)},
		})
	}
	return all
}

func read(t *testing.T, e *engine.Engine) (*rangelog.Log, map[int]string) {
	t.Helper()
	l, all, err := rangelog.Read(t.Context(), e, "job", 7)
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[int]string{}
	for _, r := range all {
		if _, twice := bodies[r.Number]; twice {
			t.Errorf("line %d has two results", r.Number)
		}
		bodies[r.Number] = string(r.Response.Body)
	}
	return l, bodies
}

func TestOfTwoWorkersOnARangeTheOneThatCameFirstIsRefused(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	first := claimed(t, e)
	if err := first.Append(t.Context(), answers("first", 1, 2)); err != nil {
		t.Fatal(err)
	}
	second := claimed(t, e)
	if err := first.Append(t.Context(), answers("first", 3)); !errors.Is(err, engine.ErrConflict) {
		t.Errorf("the first worker adds a result: %v; expected %v", err, engine.ErrConflict)
	}
	if err := first.Release(t.Context()); !errors.Is(err, engine.ErrConflict) {
		t.Errorf("the first worker gives the range back: %v; expected %v", err, engine.ErrConflict)
	}
	// The second worker also answers lines that the first has answered.
	if err := second.Append(t.Context(), answers("second", 1, 2, 3)); err != nil {
		t.Fatal(err)
	}
	l, bodies := read(t, e)
	if bodies[1] != `"first"` || bodies[2] != `"first"` || bodies[3] != `"second"` ||
		len(bodies) != 3 {
		t.Errorf("results: %v", bodies)
	}
	// The first worker was working on line 3 when it lost the range.
	if sum := l.Sum(); sum.Completed != 3 || sum.Repeated != 1 || sum.RepeatedCost != 1 {
		t.Errorf("sum: %+v", sum)
	}
}

func TestAWorkerThatGaveTheRangeBackRepeatsNothing(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	first := claimed(t, e)
	if err := first.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := claimed(t, e)
	if err := second.Append(t.Context(), answers("second", 1)); err != nil {
		t.Fatal(err)
	}
	if l, _ := read(t, e); l.Sum().Repeated != 0 {
		t.Errorf("sum: %+v", l.Sum())
	}
}

func TestNothingIsAddedToARangeThatIsClosed(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	worker := claimed(t, e)
	if err := worker.Append(t.Context(), answers("worker", 1)); err != nil {
		t.Fatal(err)
	}
	closer, _ := read(t, e)
	if err := closer.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := worker.Append(t.Context(), answers("worker", 2)); !errors.Is(err,
		engine.ErrConflict) {
		t.Errorf("the worker adds a result: %v; expected %v", err, engine.ErrConflict)
	}
	l, bodies := read(t, e)
	if len(bodies) != 1 || !l.Sealed() {
		t.Errorf("results %v, closed %v", bodies, l.Sealed())
	}
	if err := l.Claim(t.Context()); !errors.Is(err, rangelog.ErrSealed) {
		t.Errorf("the range is taken: %v; expected %v", err, rangelog.ErrSealed)
	}
}

func TestAnEntryThatIsNeverWrittenIsDamaged(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]rangelog.Entry{
		"of a kind that there is not":          {Kind: "something"},
		"a large result that is nowhere":       {Kind: "large", Data: `{"number":1}`},
		"two large results":                    {Kind: "large", Large: "large.j.g.0.A", Data: `{"number":1}` + "\n" + `{"number":2}`},
		"results that are elsewhere":           {Kind: "results", Large: "large.j.g.0.A", Data: `{"number":1}`},
		"no results":                           {Kind: "results"},
		"results that are cut":                 {Kind: "results", Data: `{"number":`},
		"a note with usage that is cut":        {Kind: "note", Discarded: `{"input_tokens":`},
		"what was discarded, but not in notes": {Kind: "claim", Discarded: `{"input_tokens":3}`, Data: "A"},
		"results with what was discarded":      {Kind: "results", Discarded: `{"input_tokens":3}`, Data: `{"number":1}`},
	} {
		if l, taken, err := rangelog.Replay([]rangelog.Entry{e}, nil); taken != 0 ||
			!errors.Is(err, engine.ErrDamaged) || l.Sum().Done() != 0 {
			t.Errorf("%s: %d entries, %v; expected %v", name, taken, err, engine.ErrDamaged)
		}
	}
}

func TestTheNoteIsTheLastOneAndWhatWasDiscardedAddsUp(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	worker := claimed(t, e)
	for _, note := range []string{"one", "two"} {
		if err := worker.SetNote(t.Context(), []byte(note),
			line.Usage{InputTokens: 3, Cost: 0.5}); err != nil {
			t.Fatal(err)
		}
	}
	if l, _ := read(t, e); string(l.Note()) != "two" || l.Sum().Usage != worker.Sum().Usage ||
		l.Sum().Usage.Cost != 1 {
		t.Errorf("note: %q, usage %+v", l.Note(), l.Sum().Usage)
	}
}

func TestOnlyAnnouncedLinesCountAsRepeated(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	first, _ := read(t, e)
	if err := first.ClaimUpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := first.Announce(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	second := claimed(t, e)
	if err := second.Append(t.Context(), answers("second", 1, 2, 3, 4)); err != nil {
		t.Fatal(err)
	}
	if l, _ := read(t, e); l.Sum().Repeated != 2 {
		t.Errorf("sum: %+v; expected 2 repeated", l.Sum())
	}
}
