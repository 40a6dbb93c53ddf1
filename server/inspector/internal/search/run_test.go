package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func cost(x float64) *float64 { return &x }

// scenes are exchanges of different kinds.
func scenes() []Exchange {
	return []Exchange{
		{ID: "req_a", Client: "team-search", Endpoint: "chat_completions",
			Path: "/v1/chat/completions", Models: []string{"gpt-4o", "gemini-3.6-flash"},
			Accounts: []string{"one"}, Status: 200, Finish: "stop",
			Lost: []string{"/logit_bias", "/messages/1/name"}, Has: []string{"image", "tools"},
			Tools: []string{"find_trains"}, Conversation: "c1", Is: []string{"lossy"},
			Headers: []Header{{"X-Project", "Alpha Beta"}}, At: noon.Add(-5 * time.Minute),
			Duration: 3 * time.Second, Cost: cost(0.02), Tokens: 1500,
			Texts: one(`{"a":"the last train"}`)},
		{ID: "req_b", Client: "nightly-report", Endpoint: "messages", Path: "/v1/messages",
			Models: []string{"gemini-2.5-pro"}, Status: 429, Failure: "rate_limited",
			Errors: []string{"insufficient_quota", "The quota is used up."},
			At:     noon.Add(-time.Hour), Duration: 100 * time.Millisecond, Job: "batch_1",
			Is: []string{"batch"}, Texts: one(`{"a":"the last bus"}`)},
		{ID: "req_c", Status: 200, Models: []string{"gemini-2.5-pro"}, IsRunning: true,
			Is: []string{"stream"}, At: noon, FirstToken: 800 * time.Millisecond,
			Texts: one(`{"a":"a tram"}`)},
	}
}

func TestFiltersSelectExchanges(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                            "abc",
		"last":                        "ab",
		"last -train":                 "b",
		`"LAST  train"`:               "a",
		`-"last train"`:               "bc",
		"client:team":                 "a",
		`client:""`:                   "c",
		`-client:""`:                  "ab",
		"status:failed":               "b",
		"status:ok":                   "a",
		"status:running":              "c",
		"status:2xx":                  "a",
		"status:429":                  "b",
		"model:gemini-3.6":            "a",
		"model:GPT":                   "a",
		"lost:/logit_bias":            "a",
		"lost:/messages/*/name":       "a",
		"lost:/messages/*/n":          "a",
		"lost:/messages/0":            "",
		"lost:/":                      "a",
		"has:image":                   "a",
		"has:audio":                   "",
		"is:lossy":                    "a",
		"-is:batch":                   "ac",
		"account:one":                 "a",
		"endpoint:messages":           "b",
		"endpoint:/v1/chat":           "a",
		"tool:find":                   "a",
		"finish:stop":                 "a",
		"error:rate":                  "b",
		`error:"used up"`:             "b",
		"header:x-project":            "a",
		`header:"x-project=alpha b"`:  "a",
		"header:x-project=gamma":      "",
		"job:batch_1":                 "b",
		"conversation:c1":             "a",
		"id:req_b":                    "b",
		">2s":                         "a",
		"<300ms":                      "b",
		"first>500ms":                 "c",
		"cost>0.01":                   "a",
		"cost<0.01":                   "",
		"tokens>=1500":                "a",
		"since:10m":                   "ac",
		"until:10m":                   "b",
		"since:2026-11-28T11:57":      "c",
		"until:2026-11-28T11:00:00Z":  "b",
		"last status:failed since:2h": "b",
		"until:2026-11-28":            "abc",
		"until:2026-11-27":            "",
		"until:2026-11-28T11:00Z":     "b",
	} {
		q, err := Parse(query, noon)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		all := scenes()
		got := ""
		found, err := q.Run(t.Context(), all, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range found.Found {
			got += strings.TrimPrefix(all[i].ID, "req_")
		}
		if got != want {
			t.Errorf("%s finds %q, expected %q", query, got, want)
		}
	}
}

func TestAMatchHasItsLocationAndWhatIsAroundIt(t *testing.T) {
	t.Parallel()
	q, err := Parse(`"last \"train\"" -nothing`, noon)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("é", 200)
	text := `{"messages":[{},{"content":"` + long + ` The\nlast \"train\" of ` + long + `"}]}`
	all := []Exchange{{Texts: one(text)}, {Texts: one(text)}}
	result, err := q.Run(t.Context(), all, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Found) != 2 || len(result.Matches) != 1 || len(result.Matches[1]) != 1 {
		t.Fatalf("%+v", result)
	}
	m := result.Matches[1][0]
	if m.Where != "text" || m.Pointer != "/messages/1/content" || m.Hit != `last "train"` ||
		!strings.HasSuffix(m.Before, "é The ") || !strings.HasPrefix(m.Before, "…é") ||
		!strings.HasPrefix(m.After, " of é") || !strings.HasSuffix(m.After, "é…") {
		t.Errorf("%+v", m)
	}
}

func TestTermsAreCompleted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		query string
		at    int
		want  string // texts, and the replaced part
	}{
		{"", 0, "client: status: model: lost: has: is: error: account: endpoint: tool: finish: " +
			"header: job: conversation: id: since: until: > first> cost>|"},
		{"porto st", 8, "status:|st"},
		{"-cl porto", 3, "-client:|-cl"},
		{"status:4", 8, "status:4xx status:429|status:4"},
		{"client:", 7, "client:nightly-report client:team-search|client:"},
		{"model:gemini", 12, "model:gemini-2.5-pro model:gemini-3.6-flash|model:gemini"},
		{"lost:/m", 7, "lost:/messages/*/name|lost:/m"},
		{"has:i x", 5, "has:image|has:i"},
		{"tool:f tail", 6, "tool:find_trains|tool:f"},
		{"foo:", 4, "|foo:"},
		{`"a cl`, 2, `|"a`},
	} {
		var texts []string
		replaced := ""
		for _, c := range Complete(test.query, test.at, scenes()) {
			texts = append(texts, c.Text)
			replaced = test.query[c.From:c.To]
			if hasNone := test.query == "status:4" || test.query == "has:i x"; c.Label == "" ||
				hasNone != (c.Detail == "") { // a fixed word explains itself
				t.Errorf("%q: %+v", test.query, c)
			}
		}
		if got := strings.Join(texts, " ") + "|" + replaced; got != test.want &&
			!(len(texts) == 0 && strings.HasPrefix(test.want, "|")) {
			t.Errorf("%q: got %q, expected %q", test.query, got, test.want)
		}
	}
}

func TestCompletionsCountRequests(t *testing.T) {
	t.Parallel()
	got := Complete("model:gemini-", 13, scenes())
	if len(got) != 2 || got[0].Detail != "2 requests" || got[1].Detail != "1 request" {
		t.Errorf("%+v", got)
	}
}

// bodies returns exchanges with a total of about 100 MB of JSON.
func bodies(count, size int) []Exchange {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the last train from station to harbour leaves before nine and " +
		"returns \\\"empty\\\" on Sundays\\n - see timetable caf\\u00e9 Zürich function arguments")
	all := make([]Exchange, count)
	for i := range all {
		var b strings.Builder
		fmt.Fprintf(&b, `{"contents":[{"role":"user","parts":[{"text":"request %d: `, i)
		for b.Len() < size {
			b.WriteString(words[random.IntN(len(words))])
			b.WriteByte(' ')
		}
		b.WriteString(`"}]}]}`)
		all[i] = Exchange{ID: fmt.Sprint(i), Texts: one(b.String())}
	}
	return all
}

// A query that nothing matches reads all bytes, so it is the slowest. The page wants an answer
// within 100 ms.
func BenchmarkSearchIn100MB(b *testing.B) {
	all := bodies(10_000, 10_000)
	for _, query := range []string{"unfindable", `"train test"`, `tree`, "日本", `"<>"`} {
		q, err := Parse(query, noon)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, err := q.Run(b.Context(), all, 100); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
