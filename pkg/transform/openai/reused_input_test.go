package openai_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/openaitest"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

func TestAStreamOfReusedChunksIsTheSame(t *testing.T) {
	t.Parallel()
	for _, opts := range modes {
		openaitest.CompareReusedChunks(t, openaitest.WithOptions(toopenai.WriteStream, opts...))
	}
}
