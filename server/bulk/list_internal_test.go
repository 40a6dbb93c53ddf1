package bulk

import (
	"slices"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestAPageOfAList(t *testing.T) {
	t.Parallel()
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	for name, tt := range map[string]struct {
		page Page
		want []string
	}{
		"the newest first":            {Page{}, []string{"d", "c", "b", "a"}},
		"the oldest first":            {Page{OldestFirst: true}, []string{"a", "b", "c", "d"}},
		"after an id":                 {Page{After: "c"}, []string{"b", "a"}},
		"after the first":             {Page{OldestFirst: true, After: "a"}, []string{"b", "c", "d"}},
		"after the last":              {Page{After: "a"}, nil},
		"after a missing id":          {Page{After: "x"}, nil},
		"some of them":                {Page{Limit: 3}, []string{"d", "c", "b"}},
		"as many as there are":        {Page{Limit: 4}, []string{"d", "c", "b", "a"}},
		"more than there are":         {Page{Limit: 5}, []string{"d", "c", "b", "a"}},
		"one after an id":             {Page{Limit: 1, After: "d"}, []string{"c"}},
		"a limit below 0 is no limit": {Page{Limit: -1}, []string{"d", "c", "b", "a"}},
	} {
		list := []listed[string]{{"c", at(2), "c"}, {"a", at(1), "a"}, {"d", at(3), "d"},
			{"b", at(2), "b"}}
		var got []string
		for _, l := range cut(list, tt.page) {
			got = append(got, l.value)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestTheSubjectOfARangeIsReadBack(t *testing.T) {
	t.Parallel()
	job := &jobRecord{Job: Job{ID: "j1", Priority: PriorityLow}}
	if id, number, err := parseWork(workSubject(job, "17")); id != "j1" || number != 17 ||
		err != nil {
		t.Errorf("%s, %d, %v", id, number, err)
	}
	for _, wrong := range []string{workSubject(job, "x"), workSubject(job, "1.2"), "low.j1"} {
		if _, _, err := parseWork(wrong); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}

// For each problem a record has 64 bytes of names and numbers, and the texts. A character of a text
// may take two bytes.
func TestAsManyProblemsAsARecordHasRoomFor(t *testing.T) {
	t.Parallel()
	problem := line.Problem{Code: "code", Message: "message", Param: "at"} // 64 + 4 + 2*9 bytes
	problems := []line.Problem{problem, problem, problem}
	for size, want := range map[int]int{0: 0, 85: 0, 86: 1, 171: 1, 172: 2, 257: 2, 258: 3,
		1000: 3} {
		if got := len(firstProblems(problems, size)); got != want {
			t.Errorf("%d bytes: %d problems, want %d", size, got, want)
		}
	}
}
