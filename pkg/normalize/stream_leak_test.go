package normalize_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/stalledtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// The test looks at all goroutines, so it does not run in parallel with others.
func TestAStreamThatStallsIsLeftWithoutATrace(t *testing.T) {
	const begun = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n"
	for name, read := range map[string]func(*testing.T, io.Reader, func()){
		"by leaving the loop early": func(t *testing.T, body io.Reader, _ func()) {
			for event := range normalize.Events(gemini.NewStreamReader(body).All()) {
				if event.Type == normalize.EventTextDelta {
					break
				}
			}
		},
		"by leaving it at once": func(t *testing.T, body io.Reader, _ func()) {
			for range normalize.Events(gemini.NewStreamReader(body).All()) {
				break
			}
		},
		"by cancelling the request": func(t *testing.T, body io.Reader, cancel func()) {
			var last normalize.Event
			for event := range normalize.Events(gemini.NewStreamReader(body).All()) {
				if event.Type == normalize.EventTextDelta {
					time.AfterFunc(10*time.Millisecond, cancel)
				}
				last = event
			}
			if last.Type != normalize.EventError || !errors.Is(last.Error, context.Canceled) {
				t.Errorf("the last event is %+v", last)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			stalledtest.Read(t, begun,
				func(body io.Reader, cancel func()) { read(t, body, cancel) })
		})
	}
}
