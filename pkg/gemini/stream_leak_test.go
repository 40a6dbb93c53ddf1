package gemini_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/stalledtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// The test inspects all goroutines, so it does not run in parallel with others.
func TestAStreamThatStallsIsLeftWithoutATrace(t *testing.T) {
	const begun = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n" +
		`data: {"cand`
	for name, read := range map[string]func(*testing.T, io.Reader, func()){
		"by leaving the loop early": func(t *testing.T, body io.Reader, _ func()) {
			for chunk, err := range gemini.NewStreamReader(body).All() {
				if chunk == nil {
					t.Error(err)
				}
				break
			}
		},
		"by asking for no more": func(t *testing.T, body io.Reader, _ func()) {
			if _, err := gemini.NewStreamReader(body).Next(); err != nil {
				t.Error(err)
			}
		},
		"by cancelling the request within a read": func(t *testing.T, body io.Reader,
			cancel func()) {
			var failure error
			for chunk, err := range gemini.NewStreamReader(body).All() {
				if chunk != nil {
					time.AfterFunc(10*time.Millisecond, cancel)
				}
				failure = err
			}
			if streamError, ok := errors.AsType[*wire.StreamError](failure); !ok ||
				!errors.Is(failure, context.Canceled) || streamError.Event != 2 {
				t.Errorf("the error is %v", failure)
			}
		},
		"by cancelling the request between two reads": func(t *testing.T, body io.Reader,
			cancel func()) {
			stream := gemini.NewStreamReader(body)
			if _, err := stream.Next(); err != nil {
				t.Error(err)
			}
			cancel()
			if _, err := stream.Next(); !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			stalledtest.Read(t, begun,
				func(body io.Reader, cancel func()) { read(t, body, cancel) })
		})
	}
}
