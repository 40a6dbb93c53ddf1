package messages_test

import (
	"io"
	"testing"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

func TestAnOpenStreamIsSmall(t *testing.T) {
	payloadtest.HoldOpenStreams(t, func(body io.Reader) func() error {
		in, s, out := gemini.NewStreamReader(body), messages.NewStream(),
			anthropic.NewStreamWriter(io.Discard)
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
