package normalize_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
)

var base64url22 = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

func TestRandomIDIsNewEachTime(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	var all strings.Builder
	for range 1000 {
		id := normalize.RandomID()
		if !base64url22.MatchString(id) {
			t.Fatalf("%q is not 22 characters of base64url", id)
		}
		if seen[id] {
			t.Fatalf("%q came twice", id)
		}
		seen[id] = true
		all.WriteString(id)
	}
	for _, c := range "ABCXYZabcxyz0189-_" {
		if !strings.ContainsRune(all.String(), c) {
			t.Errorf("%q is in none of 1000 ids", c)
		}
	}
}

const twoCalls = `{"responseId":"r","candidates":[{"content":{"parts":[
	{"functionCall":{"name":"get_weather"}},{"text":"and"},{"functionCall":{"name":"get_weather","id":""}},{"functionCall":{"name":"get_time","id":"own"}}]},"index":1}]}`

func TestCallsWithoutAnIDGetOne(t *testing.T) {
	t.Parallel()
	out, err := normalize.FromResponse(fromWire(t, twoCalls))
	if err != nil {
		t.Fatal(err)
	}
	calls := out.Candidates[0].ToolCalls()
	if !base64url22.MatchString(calls[0].ID) || !base64url22.MatchString(calls[1].ID) ||
		calls[0].ID == calls[1].ID {
		t.Errorf("the ids are %q and %q, want two of 22 characters", calls[0].ID, calls[1].ID)
	}
	if !calls[0].MadeID || !calls[1].MadeID {
		t.Error("the ids are not marked as made")
	}
	if calls[2].ID != "own" || calls[2].MadeID {
		t.Errorf("the model's own id became %q, made: %v", calls[2].ID, calls[2].MadeID)
	}
}

func TestWithToolCallIDs(t *testing.T) {
	t.Parallel()
	type position struct {
		responseID      string
		candidate, part int
	}
	var asked []position
	out, err := normalize.FromResponse(fromWire(t, twoCalls),
		normalize.WithToolCallIDs(func(responseID string, candidate, part int) string {
			asked = append(asked, position{responseID, candidate, part})
			if part == 0 {
				return "first"
			}
			return ""
		}))
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) != 2 || asked[0] != (position{"r", 1, 0}) || asked[1] != (position{"r", 1, 2}) {
		t.Errorf("ids were asked for at %v", asked)
	}
	calls := out.Candidates[0].ToolCalls()
	if calls[0].ID != "first" {
		t.Errorf("the first id is %q", calls[0].ID)
	}
	if !base64url22.MatchString(calls[1].ID) {
		t.Errorf("where the function has no id, it is %q instead of a random one", calls[1].ID)
	}
}

// Candidates of older models have no index, or several have the same index.
func TestCallsOfCandidatesWithOneIndexHaveIDsOfTheirOwn(t *testing.T) {
	t.Parallel()
	const call = `"content":{"parts":[{"functionCall":{"name":"f"}}]}`
	for _, indexes := range [][]string{
		{`"index":0`, `"index":0`}, {`"index":3`, `"index":3`, `"index":0`}, {`"index":0`, `"index":0`, `"index":1`},
		{`"index":1`, ``, ``, `"index":0`}, {``, `"index":0`, `"index":2`, `"index":1`, `"index":2`},
	} {
		var candidates []string
		for _, index := range indexes {
			candidates = append(candidates, "{"+strings.TrimPrefix(index+","+call, ",")+"}")
		}
		out, err := normalize.FromResponse(fromWire(t,
			`{"candidates":[`+strings.Join(candidates, ",")+`]}`),
			normalize.WithToolCallIDs(func(_ string, candidate, part int) string {
				return strings.Repeat("a", candidate+1) + strings.Repeat("b", part)
			}))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i := range out.Candidates {
			id := out.Candidates[i].ToolCalls()[0].ID
			if seen[id] {
				t.Errorf("%v: two calls have the id %s", indexes, id)
			}
			seen[id] = true
		}
	}
}
