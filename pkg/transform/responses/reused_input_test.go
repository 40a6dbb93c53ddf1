package responses_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
)

func TestAStreamOfReusedChunksIsTheSame(t *testing.T) {
	t.Parallel()
	for _, opts := range modes {
		openaitest.CompareReusedChunks(t, openaitest.WithOptions(toresponses.WriteStream, opts...))
	}
}
