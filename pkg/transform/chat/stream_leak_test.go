package chat_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/stalledtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// The test counts all goroutines, so it does not run in parallel with others.
func TestAStreamThatStallsIsLeftWithoutATrace(t *testing.T) {
	const begun = `data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\n\n"
	for name, read := range map[string]func(*testing.T, io.Reader, func()){
		"by leaving the loop early": func(t *testing.T, body io.Reader, _ func()) {
			for _, err := range chat.NewStream().Chunks(gemini.NewStreamReader(body).All()) {
				if err != nil {
					t.Error(err)
				}
				break
			}
		},
		"by cancelling the request": func(t *testing.T, body io.Reader, cancel func()) {
			var failure error
			for _, err := range chat.NewStream().Chunks(gemini.NewStreamReader(body).All()) {
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
			if _, err := chat.WriteStream(&limited{},
				gemini.NewStreamReader(body).All()); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("the error is %v", err)
			}
		},
		"by cancelling the request while it is written": func(t *testing.T, body io.Reader,
			cancel func()) {
			out := cancelling{cancel: cancel}
			_, err := chat.WriteStream(&out, gemini.NewStreamReader(body).All())
			if got := out.String(); !errors.Is(err, context.Canceled) ||
				strings.Contains(got, "[DONE]") || !strings.Contains(got, `data: {"error":`) {
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

// cancelling cancels a request soon after the first write.
type cancelling struct {
	strings.Builder
	cancel func()
}

func (c *cancelling) Write(p []byte) (int, error) {
	if c.Len() == 0 {
		time.AfterFunc(10*time.Millisecond, c.cancel)
	}
	return c.Builder.Write(p)
}
