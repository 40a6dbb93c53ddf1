package aisdk_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"io"
	"iter"
)

func TestAStreamOfReusedChunksIsTheSame(t *testing.T) {
	t.Parallel()
	openaitest.CompareReusedChunks(t,
		func(w io.Writer,
			chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) (report.Report, error) {
			return aisdk.WriteStream(w, chunks, sameIDs()...) // which count
		})
}
