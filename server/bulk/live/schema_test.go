package live_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
)

// schemaBody is a request for JSON with a member.
const schemaBody = `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"Kind?"}],"response_format":{"type":"json_schema","json_schema":{"name":"k","schema":{"type":"object","required":["kind"],"properties":{"kind":{"type":"string"}}}}}}`

// runChecked runs one line of a job with a number of retries.
func runChecked(t *testing.T, g live.Gateway, retries string) line.Result {
	t.Helper()
	kept := &written{}
	job := &bulk.Job{ID: "batch_1", Settings: map[string]string{bulk.SettingSchemaRetries: retries}}
	item := bulk.NewItem(job, 0, linesOf(1, chatURL, schemaBody), nil, kept.write)
	if err := live.New(g).Run(t.Context(), item); err != nil || len(kept.results) != 1 {
		t.Fatal(kept.results, err)
	}
	return kept.results[0]
}

// answering returns a gateway that gives answers one after another, and the last one again.
func answering(texts ...string) httpGateway {
	var calls atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request) {
		text := texts[min(int(calls.Add(1)), len(texts))-1]
		_, _ = w.Write([]byte(`{"choices":[{"finish_reason":"stop","message":{"content":` + text + `}}]}`))
	}
}

const fitting, unfitting = `"{\"kind\":\"a\"}"`, `"{\"kind\":1}"`

func TestALineWhoseAnswerDiffersFromItsSchemaIsAskedAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		retries  string
		answers  []string
		attempts int
		failed   bool
	}{
		{"1", []string{fitting}, 1, false},
		{"1", []string{unfitting, fitting}, 2, false},
		{"1", []string{unfitting, unfitting, fitting}, 2, true},
		{"3", []string{unfitting, unfitting, fitting}, 3, false},
		{"0", []string{unfitting, fitting}, 1, true},
		{"", []string{unfitting}, 1, false},
	} {
		got := runChecked(t, answering(test.answers...), test.retries)
		if got.Attempts != test.attempts || got.Failed() != test.failed || got.Response == nil {
			t.Errorf("%+v: %+v", test, got)
		}
		if test.failed && (got.Error.Code != line.CodeMismatch ||
			!strings.Contains(got.Error.Message, "/kind, which must be of type string")) {
			t.Errorf("%+v: %+v", test, got.Error)
		}
	}
}

func TestTheCostOfALineIncludesItsAnswersThatDifferFromItsSchema(t *testing.T) {
	t.Parallel()
	once := runChecked(t, gatewayOf(t, geminitest.On().Reply(geminitest.Text("no"))), "0")
	again := runChecked(t, gatewayOf(t, geminitest.On().Reply(geminitest.Text("no"))), "2")
	if once.Usage.Cost == 0 || again.Attempts != 3 ||
		again.Usage.InputTokens != 3*once.Usage.InputTokens ||
		again.Usage.Cost < 2.99*once.Usage.Cost {
		t.Errorf("once %+v, three times %+v", once, again)
	}
}
