package messages_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/stalledtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

// The test counts all goroutines, so it does not run in parallel with others.
func TestAStreamThatStallsIsLeftWithoutATrace(t *testing.T) {
	const begun = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n"
	for name, read := range map[string]func(*testing.T, io.Reader, func()){
		"by leaving the loop early": func(t *testing.T, body io.Reader, _ func()) {
			for _, err := range messages.NewStream().Events(gemini.NewStreamReader(body).All()) {
				if err != nil {
					t.Error(err)
				}
				break
			}
		},
		"by cancelling the request": func(t *testing.T, body io.Reader, cancel func()) {
			var failure error
			for _, err := range messages.NewStream().Events(gemini.NewStreamReader(body).All()) {
				if err == nil {
					time.AfterFunc(10*time.Millisecond, cancel)
				}
				failure = err
			}
			if !errors.Is(failure, context.Canceled) {
				t.Errorf("the error is %v", failure)
			}
		},
		"by a client that is gone": func(t *testing.T, body io.Reader, _ func()) {
			if _, err := messages.WriteStream(gone{},
				gemini.NewStreamReader(body).All()); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("the error is %v", err)
			}
		},
		"by cancelling the request while it is written": func(t *testing.T, body io.Reader,
			cancel func()) {
			out := cancelling{cancel: cancel}
			_, err := messages.WriteStream(&out, gemini.NewStreamReader(body).All())
			if got := out.String(); !errors.Is(err, context.Canceled) ||
				strings.Contains(got, "message_stop") || !strings.Contains(got, "event: error\n") {
				t.Errorf("%v, and the body is %s", err, got)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			stalledtest.Read(t, begun,
				func(body io.Reader, cancel func()) { read(t, body, cancel) })
		})
	}
}

// gone is a client that has disconnected.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// cancelling cancels the request after the first write.
type cancelling struct {
	bytes.Buffer
	cancel func()
}

func (c *cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return c.Buffer.Write(p)
}
