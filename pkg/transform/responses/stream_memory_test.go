package responses_test

import (
	"io"
	"testing"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
)

// The events at the end of a stream have all of its text, so a stream keeps 7 KB in the middle.
func TestAnOpenStreamIsSmall(t *testing.T) {
	payloadtest.HoldOpenStreams(t, func(body io.Reader) func() error {
		in, s, out := gemini.NewStreamReader(body), toresponses.NewStream(),
			responses.NewStreamWriter(io.Discard)
		return func() error {
			c, err := in.Next()
			if err != nil {
				return err
			}
			events, err := s.Push(c)
			if err != nil {
				return err
			}
			return out.Write(events...)
		}
	})
}
