package cli

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
)

// damages are possible faults of an event stream in transit, each in its middle or at its end.
var damages = map[string]func(events []string) []string{
	"a damaged field name": func(events []string) []string {
		at := len(events) / 2
		for !strings.Contains(events[at], "data:") { // an error has none
			at--
		}
		return slices.Replace(slices.Clone(events), at, at+1,
			strings.Replace(events[at], "data:", "dta:", 1))
	},
	"an event cut at its start": func(events []string) []string {
		at := len(events) / 2
		return slices.Replace(slices.Clone(events), at, at+1, events[at][3:])
	},
	"a text between the events": func(events []string) []string { return slices.Insert(slices.Clone(events), len(events)/2, "try again") },
	"a text after the end":      func(events []string) []string { return append(slices.Clone(events), "try again") },
	secondStream:                func(events []string) []string { return append(slices.Clone(events), events...) },
}

const secondStream = "a second stream"

// In strict mode every form refuses a stream with a missing part.
func TestNoFormTakesADamagedRecordedStreamInStrictMode(t *testing.T) {
	t.Parallel()
	forms := streamForms()
	formNames, damageNames := slices.Sorted(maps.Keys(forms)), slices.Sorted(maps.Keys(damages))
	tried := 0
	for i, p := range corpustest.Payloads(t, corpustest.Stream) {
		body := strings.TrimSpace(strings.ReplaceAll(string(p.Read(t)), "\r\n", "\n"))
		form := forms[formNames[i%len(formNames)]]
		isWhole := strings.HasPrefix(body, "data:") && !strings.Contains(body, `"error":`)
		if err := form.strictly(body); err != nil || !isWhole {
			continue // it ends in an error, or loses something as it is
		}
		events := strings.Split(body, "\n\n")
		for _, name := range damageNames {
			if name == secondStream && !isFirstOfSeveral(events[0]) {
				continue
			}
			damaged := damages[name](events)
			if err := form.strictly(strings.Join(damaged, "\n\n")); err == nil {
				t.Errorf("%s: to %s: %s is taken", p.Name, form.to, name)
			}
			tried++
		}
	}
	if t.Logf("%d damaged streams", tried); tried < corpustest.AtLeast(2000) {
		t.Errorf("only %d damaged streams", tried)
	}
}

// isFirstOfSeveral reports whether an event can only be the first of a stream. In old recordings
// each event has a finish reason, so any event may be repeated.
func isFirstOfSeveral(event string) bool {
	return strings.Contains(event, `"parts"`) && !strings.Contains(event, `"finishReason"`)
}

// strictly converts a stream in strict mode.
func (f streamForm) strictly(body string) error {
	in := f.settings
	in.strict = true
	report, err := f.run(bytes.NewReader([]byte(body+"\n\n")), io.Discard, in)
	if err == nil {
		err = report.Strict()
	}
	return err
}
