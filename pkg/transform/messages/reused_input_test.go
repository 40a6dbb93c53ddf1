package messages_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

func TestAStreamOfReusedChunksIsTheSame(t *testing.T) {
	t.Parallel()
	for _, opts := range modes {
		openaitest.CompareReusedChunks(t, openaitest.WithOptions(messages.WriteStream, opts...))
	}
}
