package rangelog_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
)

// resultOf returns the result of a line that takes a number of bytes when it is stored.
func resultOf(t *testing.T, number, size int) line.Result {
	t.Helper()
	result := line.Result{Number: number, CustomID: "q",
		Response: &line.Response{Status: 200, Body: jsontext.Value(`""`)}}
	empty, err := line.AppendStored(nil, &result)
	if err != nil {
		t.Fatal(err)
	}
	result.Response.Body = jsontext.Value(`"` + strings.Repeat("x", size-len(empty)) + `"`)
	return result
}

// entriesOf returns the number of entries in the log of the range of claimed.
func entriesOf(t *testing.T, e *engine.Engine) int {
	t.Helper()
	subjects, err := e.Results.Subjects(t.Context(), engine.SubjectResults+"job.7.*")
	if err != nil {
		t.Fatal(err)
	}
	return len(subjects)
}

func TestAResultAbove64KiBIsStoredOutsideOfTheLog(t *testing.T) {
	t.Parallel()
	const most = 64 << 10
	for size, isOutside := range map[int]bool{most: false, most + 1: true} {
		e := enginetest.Open(t)
		result := resultOf(t, 1, size)
		if err := claimed(t, e).Append(t.Context(), []line.Result{result}); err != nil {
			t.Fatal(err)
		}
		has, err := e.Results.HasAny(t.Context(), engine.SubjectLarge+"job.7.>")
		if err != nil || has != isOutside {
			t.Errorf("%d bytes: outside is %v, %v", size, has, err)
		}
		l, all, err := rangelog.Read(t.Context(), e, "job", 7)
		if err != nil || len(all) != 1 || l.Sum().Completed != 1 {
			t.Fatalf("%d bytes: %d results, %v", size, len(all), err)
		}
		loaded, err := all[0].Load(t.Context(), e)
		if err != nil || string(loaded.Response.Body) != string(result.Response.Body) ||
			loaded.CustomID != "q" {
			t.Errorf("%d bytes: the result differs from what was written: %v", size, err)
		}
	}
}

func TestResultsAreOneEntryUpToHalfOfAMessage(t *testing.T) {
	t.Parallel()
	const size = 64 << 10
	for results, entries := range map[int]int{4: 1, 5: 1, 6: 2, 10: 2, 11: 3} {
		e := enginetest.Open(t)
		if half := e.Results.PieceSize() / 2; half != 4*size {
			t.Fatalf("half of a message has %d bytes", half)
		}
		var all []line.Result
		for number := range results {
			all = append(all, resultOf(t, number+1, size))
		}
		worker := claimed(t, e)
		if err := worker.Append(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		if got := entriesOf(t, e) - 1; got != entries { // without the claim
			t.Errorf("%d results: %d entries, want %d", results, got, entries)
		}
		if l, bodies := read(t, e); len(bodies) != results ||
			l.Sum().Completed != int64(results) || worker.Sum().Completed != int64(results) {
			t.Errorf("%d results: %d are read", results, len(bodies))
		}
	}
}

// A worker may add a result again, because it does not know whether the first attempt was written.
func TestAResultThatIsAddedTwiceIsWrittenOnce(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	worker := claimed(t, e)
	for range 2 {
		if err := worker.Append(t.Context(), answers("worker", 1)); err != nil {
			t.Fatal(err)
		}
	}
	if got := entriesOf(t, e); got != 2 { // a claim and one of results
		t.Errorf("%d entries, want 2", got)
	}
	if l, bodies := read(t, e); len(bodies) != 1 || l.Sum().Completed != 1 {
		t.Errorf("results %v, sum %+v", bodies, l.Sum())
	}
}

func TestTheResultsOfALogAreInTheOrderOfTheLines(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	worker := claimed(t, e)
	for _, number := range []int{3, 1, 4, 2} {
		if err := worker.Append(t.Context(), answers("worker", number)); err != nil {
			t.Fatal(err)
		}
	}
	_, all, err := rangelog.Read(t.Context(), e, "job", 7)
	if err != nil || len(all) != 4 {
		t.Fatalf("%d results, %v", len(all), err)
	}
	for i := range all {
		if all[i].Number != i+1 {
			t.Errorf("result %d is of line %d", i+1, all[i].Number)
		}
	}
}
