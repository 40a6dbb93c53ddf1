package compaction_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func text(v any) string {
	out, err := json.Marshal(v, jsonx.Canonical)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// same reports whether two items are the same for a client.
func same(a, b compaction.Item) bool { return text(&a.ResponseItem) == text(&b.ResponseItem) }

func itemsOf(t testing.TB, list string) []openaiapi.ResponseItem {
	t.Helper()
	var out []openaiapi.ResponseItem
	if err := json.Unmarshal([]byte(list), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func opened(t testing.TB, list string) []compaction.Item {
	t.Helper()
	out, _, err := compaction.Open(itemsOf(t, list), 0, sealer(t, "a"), owner)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func ids(items []openaiapi.ResponseItem) string {
	var out []string
	for i := range items {
		out = append(out, items[i].ID)
	}
	return strings.Join(out, " ")
}

func user(id string) string { return `{"id":"` + id + `","role":"user","content":"` + id + `"}` }

func call(id string) string {
	return `{"id":"` + id + `","type":"function_call","call_id":"c-` + id +
		`","name":"f","arguments":"{\"path\":\"` + id + `.go\"}"}`
}

func reasoning(id string) string {
	return `{"id":"` + id + `","type":"reasoning","summary":[],"encrypted_content":"x"}`
}

func result(of, output string) string {
	return `{"id":"r-` + of + `","type":"function_call_output","call_id":"c-` + of + `","output":"` +
		output + `"}`
}

func TestAPlanKeepsInstructionsTheLastTurnAndTheLastStep(t *testing.T) {
	t.Parallel()
	system := `{"id":"s","role":"developer","content":"x"}`
	large := strings.Repeat("x", compaction.MaxStep)
	for name, test := range map[string]struct{ items, turn, step, dropped string }{
		"a conversation": {user("u1") + "," + `{"id":"m","role":"assistant","content":"x"},` +
			user("u2"), "u2", "", "0 1"},
		"several messages in a turn": {user("u0") + "," + reasoning("r") + "," + user("u1") + "," +
			user("u2"), "u1 u2", "", "0 1"},
		"an open call": {user("u1") + "," + call("a") + "," + result("a", "x") + "," +
			reasoning("r") + "," + call("b"), "u1", "r b", "1 2"},
		"parallel calls, one open": {user("u1") + "," + reasoning("r") + "," + call("a") + "," +
			call("b") + "," + result("a", "x"), "u1", "r a b r-a", ""},
		"each result after its call": {user("u1") + "," + reasoning("r") + "," + call("a") + "," +
			result("a", "x") + "," + call("b"), "u1", "r a r-a b", ""},
		"results that the model has not seen": {user("u1") + "," + reasoning("q") + "," + call("a") +
			"," + result("a", "x") + "," + reasoning("r") + "," + call("b") + "," + result("b", "x"),
			"u1", "r b r-b", "1 2 3"},
		"results that are too large": {user("u1") + "," + call("b") + "," + result("b", large),
			"u1", "", "1 2"},
		"an open call with a large result": {user("u1") + "," + call("a") + "," + call("b") + "," +
			result("b", large), "u1", "a b r-b", ""},
		"an old call without a result": {user("u1") + "," + call("a") + "," + user("u2"),
			"u2", "", "0 1"},
	} {
		plan := compaction.NewPlan(opened(t, "["+system+","+test.items+"]"))
		content := plan.Content("sum", false)
		var dropped []string
		for _, i := range plan.Dropped {
			dropped = append(dropped, strconv.Itoa(i-1))
		}
		got := []string{ids(content.Instructions), ids(content.LastTurn), ids(content.LastStep),
			strings.Join(dropped, " ")}
		if diff := cmp.Diff([]string{"s", test.turn, test.step, test.dropped}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFilesOfCallsAreKeptOverSeveralSummaries(t *testing.T) {
	t.Parallel()
	s := sealer(t, "a")
	patch := `{"type":"custom_tool_call","call_id":"p","name":"apply_patch","input":"*** Begin Patch\n` +
		`*** Update File: b/c.go\n*** Add File: d.go\n*** End Patch"}`
	shell := `{"type":"function_call","call_id":"q","name":"shell","arguments":` +
		`"{\"command\":\"apply_patch <<E\\n*** Delete File: e.go\\nE\"}"}`
	first := compaction.NewPlan(opened(t, "["+user("u")+","+call("a")+","+patch+","+shell+"]"))
	content := first.Content("one", false)
	if want := []string{"a.go", "b/c.go", "d.go", "e.go"}; !slices.Equal(content.Files, want) {
		t.Errorf("files %q", content.Files)
	}
	blob := seal(t, s, content)
	again := compaction.NewPlan(opened(t, `[{"type":"compaction","encrypted_content":"`+blob+`"},`+
		call("z")+","+result("z", "x")+"]"))
	if files := again.Content("two", false).Files; !slices.Equal(files,
		[]string{"a.go", "b/c.go", "d.go", "e.go", "z.go"}) {
		t.Errorf("files %q", files)
	}
}

func TestRestoredItemsAreNotRepeated(t *testing.T) {
	t.Parallel()
	s := sealer(t, "a")
	system := `{"id":"s","role":"developer","content":"be brief"}`
	content := compaction.NewPlan(opened(t, "["+system+","+user("u1")+","+call("a")+"]")).
		Content("sum", false)
	item := `{"type":"compaction","encrypted_content":"` + seal(t, s, content) + `"}`
	content.StandsForAll = true
	all := `{"type":"compaction","encrypted_content":"` + seal(t, s, content) + `"}`
	for name, test := range map[string]struct {
		items string
		known int
		want  string
	}{
		"alone": {item, 0, "s u1  a"},
		"with the messages before it": {system + "," + user("u0") + "," + user("u1") + "," + item +
			"," + user("u2"), 0, "s u0 u1  a u2"},
		"with instructions after it": {item + "," + system + "," + user("u1"), 0, "u1  a s u1"},
		"made in a turn": {user("u0") + "," + user("u1") + "," + all + "," + user("u2"), 0,
			"s u1  a u2"},
		"known to the server": {user("u0") + "," + item + "," + user("u2"), 2, "u0 s u1  a u2"},
		"made for a trigger": {user("u0") + `,{"type":"compaction_trigger"},` + item + "," +
			user("u2"), 3, "s u1  a u2"},
	} {
		out, asks, err := compaction.Open(itemsOf(t, "["+test.items+"]"), test.known, s, owner)
		var got []string
		for i := range out {
			got = append(got, out[i].ID)
		}
		if err != nil || asks || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, %v, %v", name, got, asks, err)
		}
	}
}
