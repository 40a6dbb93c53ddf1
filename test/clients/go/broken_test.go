package clients_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// handmade is a folder of correct streams with their completions, and the ways to break them.
const handmade = "../testdata/openai"

// brokenCase makes a stream with one fault out of a correct one.
type brokenCase struct {
	Name  string `json:"name"`
	Of    string `json:"of"`
	Edits []edit `json:"edits"`
	// Breaks are the rules that the result breaks, in the order of their finding, each once.
	Breaks []rule `json:"breaks"`
	// Clients has the verdict of each client about the result.
	Clients map[string]verdict `json:"clients"`
}

// edit replaces the only occurrence of a text.
type edit struct {
	Old string `json:"old"`
	New string `json:"new"`
}

func TestCorrectStreamsKeepEveryRuleAndEveryClientAcceptsThem(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for _, name := range []string{"text", "tool-calls", "two-choices", "refusal"} {
		stream := readFile(t, handmade, name+".sse")
		if findings, failed := checkWire(stream); len(findings) > 0 || failed {
			t.Errorf("%s: %v, error: %v", name, findings, failed)
		}
		baseURL := server.play(name, recorded{stream, readFile(t, handmade, name+".json")})
		for _, client := range goClients {
			if verdict, why := client.judge(t, baseURL); verdict != accepts {
				t.Errorf("%s: %s: %s: %s", name, client.name, verdict, why)
			}
		}
	}
}

func TestAnErrorInTheStreamReachesEveryClient(t *testing.T) {
	t.Parallel()
	stream := readFile(t, handmade, "error.sse")
	if findings, failed := checkWire(stream); len(findings) > 0 || !failed {
		t.Errorf("%v, error: %v", findings, failed)
	}
	baseURL := newServer(t).play("error", recorded{stream: stream})
	for _, client := range goClients {
		if _, err := client.stream(t.Context(), baseURL); err == nil ||
			!strings.Contains(err.Error(), "All workers are busy.") {
			t.Errorf("%s: %v", client.name, err)
		}
	}
}

func TestBrokenStreamsBreakTheRuleThatNamesTheirFault(t *testing.T) {
	t.Parallel()
	for _, test := range brokenCases(t) {
		findings, _ := checkWire(test.apply(t))
		var broken []rule
		for _, f := range findings {
			if !slices.Contains(broken, f.rule) {
				broken = append(broken, f.rule)
			}
		}
		if !slices.Equal(broken, test.Breaks) {
			t.Errorf("%s: want %q broken, got %v", test.Name, test.Breaks, findings)
		}
	}
}

func TestEveryRuleIsBrokenByACase(t *testing.T) {
	t.Parallel()
	left := slices.Clone(rules)
	for _, test := range brokenCases(t) {
		for _, r := range test.Breaks {
			if !slices.Contains(rules, r) {
				t.Errorf("%s names a rule %q, which there is not", test.Name, r)
			}
			left = slices.DeleteFunc(left, func(of rule) bool { return of == r })
		}
	}
	if len(left) > 0 {
		t.Errorf("no case breaks %q", left)
	}
}

// What the clients let pass is why the rules exist.
func TestClientsNoticeTheFaultsThatTheyAreKnownToNotice(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	for _, test := range brokenCases(t) {
		completion, err := os.ReadFile(filepath.Join(handmade, test.Of+".json"))
		if err != nil {
			continue // a stream that ends in an error has no completion
		}
		baseURL := server.play(test.Name, recorded{test.apply(t), completion})
		for _, client := range goClients {
			if got, why := client.judge(t, baseURL); got != test.Clients[client.name] {
				t.Errorf("%s: %s: %s, want %s: %s", test.Name, client.name, got,
					test.Clients[client.name], why)
			}
		}
	}
}

func brokenCases(t *testing.T) []brokenCase {
	t.Helper()
	var cases []brokenCase
	decoder := json.NewDecoder(bytes.NewReader(readFile(t, handmade, "broken.json")))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// apply returns the broken stream.
func (b brokenCase) apply(t *testing.T) []byte {
	t.Helper()
	stream := string(readFile(t, handmade, b.Of+".sse"))
	for _, e := range b.Edits {
		if n := strings.Count(stream, e.Old); n != 1 {
			t.Fatalf("%s: %q is in %s %d times", b.Name, e.Old, b.Of, n)
		}
		stream = strings.Replace(stream, e.Old, e.New, 1)
	}
	return []byte(stream)
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
