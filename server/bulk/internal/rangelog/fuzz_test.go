package rangelog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
)

// FuzzEntriesAreTakenWholeOrRefused reads a log of arbitrary entries, one on each line: kind,
// location of a large result, discarded usage, and data, separated by spaces, and "|" for a line's
// end. A refused entry leaves no trace, and both ways to read a log agree.
func FuzzEntriesAreTakenWholeOrRefused(f *testing.F) {
	f.Add("claim   A\nresults   {\"number\":1,\"response\":{\"status_code\":200}}|{\"number\":2,\"error\":{\"code\":\"x\"}}|\nrelease   ")
	f.Add("claim   A\nclaim   B\nresults   {\"number\":1}|{\"number\":1}|\nlarge large.j.g.0.A  {\"number\":2,\"response\":null}\nseal   ")
	f.Add("results   {\"number\":1}|{\"numb")
	f.Add("large   {\"number\":1}")
	f.Add("results large.j.g.0.A  {\"number\":1}")
	f.Add("large A  {\"number\":1}|{\"number\":2}")
	f.Add("note   \nsomething   x")
	f.Add("results   ")
	f.Add("note  {\"input_tokens\":3,\"cost\":0.5} first\nnote  {\"input_tokens\":4} second\nnote  {\"input_tok third")
	f.Add("note  {\"input_tokens\":-1} \nnote  null \nclaim  {\"input_tokens\":3} A")
	f.Fuzz(func(t *testing.T, text string) {
		var entries []rangelog.Entry
		for row := range strings.SplitSeq(text, "\n") {
			kind, rest, _ := strings.Cut(row, " ")
			large, rest, _ := strings.Cut(rest, " ")
			discarded, data, _ := strings.Cut(rest, " ")
			data = strings.ReplaceAll(data, "|", "\n")
			entries = append(entries,
				rangelog.Entry{Kind: kind, Large: large, Discarded: discarded, Data: data})
		}
		visited := map[int]bool{}
		read, taken, err := rangelog.Replay(entries, func(r rangelog.Result) {
			if visited[r.Number] {
				t.Fatalf("line %d has two results", r.Number)
			}
			visited[r.Number] = true
		})
		if err != nil && !errors.Is(err, engine.ErrDamaged) {
			t.Fatalf("entry %d: %v; expected %v", taken, err, engine.ErrDamaged)
		}
		opened, same, _ := rangelog.Replay(entries, nil)
		if same != taken {
			t.Fatalf("%d entries are read, and %d are opened", taken, same)
		}
		before, _, err := rangelog.Replay(entries[:taken], nil)
		if err != nil {
			t.Fatalf("entries that were taken are refused: %v", err)
		}
		for _, other := range []*rangelog.Log{opened, before} {
			if err := read.Same(other); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(read.Sum(), other.Sum()); diff != "" {
				t.Fatal(diff)
			}
		}
		if read.Sum().Done() != int64(len(visited)) {
			t.Fatalf("%d results are counted, and %d are read", read.Sum().Done(), len(visited))
		}
		for number := range visited {
			if !read.Has(number) {
				t.Fatalf("line %d has a result that is not known", number)
			}
		}
	})
}

// FuzzWorkersOnARange performs random steps of two workers on one range, and compares the log with
// a plain list of the confirmed writes.
func FuzzWorkersOnARange(f *testing.F) {
	f.Add([]byte("aAbBaArR"))
	f.Add([]byte("o1O1o2O3rs"))
	f.Add([]byte("c1n2C1N3sS12"))
	f.Add([]byte("cL1C1lLx"))
	e := enginetest.Open(f)
	runs := 0
	f.Fuzz(func(t *testing.T, steps []byte) {
		runs++
		job := fmt.Sprint("job", runs)
		var workers [2]*rangelog.Log
		var seen [2]int // how many entries each knows of
		want := model{results: map[int]string{}}
		for i, step := range steps[:min(len(steps), 12)] {
			who := int(step>>5) & 1
			if workers[who] == nil {
				opened, err := rangelog.Open(t.Context(), e, job, 3)
				if err != nil {
					t.Fatal(err)
				}
				workers[who], seen[who] = opened, want.entries
			}
			knew := workers[who].Sealed()
			added, err := do(t, workers[who], step, fmt.Sprint("step ", i), &want,
				seen[who] == want.entries && !knew)
			switch {
			case added == 0 && err == nil:
			case knew && !errors.Is(err, rangelog.ErrSealed),
				!knew && seen[who] != want.entries && !errors.Is(err, engine.ErrConflict):
				t.Fatalf("step %d of worker %d: %v", i, who, err)
			case err != nil && !knew && seen[who] == want.entries:
				t.Fatalf("step %d of worker %d, which knows all, is refused: %v", i, who, err)
			case err != nil:
				workers[who] = nil // it has lost the range
			default:
				want.entries += added
				seen[who] = want.entries
			}
		}
		want.check(t, e, job)
		remove(t, e, job)
	})
}

// remove makes room for the logs of other jobs. Large results would fill the store in half a
// minute.
func remove(t *testing.T, e *engine.Engine, job string) {
	t.Helper()
	for _, subject := range []string{engine.SubjectResults, engine.SubjectLarge} {
		if err := e.Results.Purge(t.Context(), subject+job+".>"); err != nil {
			t.Fatal(err)
		}
	}
}

// model is a range as a plain list.
type model struct {
	entries int
	results map[int]string
	note    string
	// discarded is the discarded usage in notes.
	discarded int64
	sealed    bool
}

// do makes a worker take a step, and returns the number of added entries. It changes the model only
// if the worker may write.
func do(t *testing.T, l *rangelog.Log, step byte, body string, want *model, may bool) (added int,
	err error) {
	number := int(step&3) + 1
	switch step >> 2 & 7 {
	case 0:
		return 1, l.Claim(t.Context())
	case 1:
		return 1, l.Release(t.Context())
	case 2:
		if may {
			want.note = body
			want.discarded += int64(len(body))
		}
		return 1, l.SetNote(t.Context(), []byte(body), line.Usage{InputTokens: int64(len(body))})
	case 3:
		want.sealed = want.sealed || may
		return 1, l.Seal(t.Context())
	case 4:
		body = strings.Repeat(body, 100_000/len(body)) // is kept elsewhere
	}
	if l.Has(number) {
		return 0, l.Append(t.Context(), answers(body, number))
	}
	if may {
		want.results[number] = `"` + body + `"`
	}
	return 1, l.Append(t.Context(), answers(body, number))
}

func (m *model) check(t *testing.T, e *engine.Engine, job string) {
	t.Helper()
	l, all, err := rangelog.Read(t.Context(), e, job, 3)
	if err != nil {
		t.Fatal(err)
	}
	if l.Sealed() != m.sealed || string(l.Note()) != m.note || len(all) != len(m.results) ||
		l.Sum().Completed != int64(len(all)) ||
		l.Sum().Usage.InputTokens != m.discarded {
		t.Fatalf("closed %v, note %q, %d results; expected %+v", l.Sealed(), l.Note(), len(all), m)
	}
	for i := range all {
		loaded, err := all[i].Load(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(loaded.Response.Body); got != m.results[loaded.Number] {
			t.Fatalf("line %d: %.20s; expected %.20s", loaded.Number, got, m.results[loaded.Number])
		}
	}
}
