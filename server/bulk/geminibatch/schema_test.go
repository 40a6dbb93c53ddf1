package geminibatch_test

import (
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/go-json-experiment/json/jsontext"
)

// checkedLines returns a line that asks for JSON, and a line that does not.
func checkedLines() []line.Line {
	lines := linesOf(2)
	lines[0].Body = jsontext.Value(`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"question 1."}],"response_format":{"type":"json_object"}}`)
	return lines
}

func askChecked(t *testing.T) *asked {
	t.Helper()
	a := ask(t, checkedLines(), ofQuestions(2))
	job := &bulk.Job{ID: "batch_1", Settings: map[string]string{bulk.SettingSchemaRetries: "1"}}
	a.item = bulk.NewItem(job, 0, a.lines, nil, a.write)
	return a
}

func TestAnAnswerThatDiffersFromItsSchemaIsAskedLive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := askChecked(t)
		a.finish()
		if got := a.results[1]; a.count("generateContent") != 2 || got.Error == nil ||
			got.Error.Code != line.CodeMismatch || a.results[2].Error != nil {
			t.Errorf("%d live calls: %+v", a.count("generateContent"), a.results)
		}
	})
}

func TestWithoutTheFallbackAnAnswerThatDiffersFromItsSchemaFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := askChecked(t)
		a.executor = without(t, a, a.server.Client())
		a.finish()
		if got := a.results[1]; a.count("generateContent") != 0 || got.Error == nil ||
			got.Usage.Cost == 0 {
			t.Errorf("%d live calls: %+v", a.count("generateContent"), got)
		}
	})
}
