package payloadtest_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestPayloadsHaveTheSizesThatBenchmarksAreNamedFor(t *testing.T) {
	t.Parallel()
	sizes := map[string]struct{ min, max int }{
		"ShortText":   {700, 900},
		"ToolCall":    {900, 1400},
		"LongText":    {3300, 3700},
		"Grounded":    {7700, 8500},
		"InlineImage": {payloadtest.InlineImageSize, payloadtest.InlineImageSize + 2000},
	}
	for _, p := range payloadtest.All() {
		size, known := sizes[p.Name]
		if !known || len(p.Body) < size.min || len(p.Body) > size.max {
			t.Errorf("%s has %d bytes, want %d to %d", p.Name, len(p.Body), size.min, size.max)
		}
	}
}

func TestGroundedSupportsQuoteTheText(t *testing.T) {
	t.Parallel()
	response, err := gemini.DecodeResponse(payloadtest.Grounded())
	if err != nil {
		t.Fatal(err)
	}
	candidate := response.Candidates[0]
	text := *candidate.Content.Parts[0].Text
	metadata := candidate.GroundingMetadata
	if len(metadata.GroundingSupports) == 0 {
		t.Fatal("no supports")
	}
	for i, support := range metadata.GroundingSupports {
		segment := support.Segment
		if got := text[*segment.StartIndex:*segment.EndIndex]; got != *segment.Text {
			t.Errorf("support %d stands at %q, but quotes %q", i, got, *segment.Text)
		}
		for _, chunk := range support.GroundingChunkIndices {
			if chunk >= len(metadata.GroundingChunks) {
				t.Errorf("support %d names chunk %d of %d", i, chunk, len(metadata.GroundingChunks))
			}
		}
	}
}

func TestInlineImageIsBase64OfAPNGSignature(t *testing.T) {
	t.Parallel()
	response, err := gemini.DecodeResponse(payloadtest.InlineImage())
	if err != nil {
		t.Fatal(err)
	}
	data := *response.Candidates[0].Content.Parts[1].InlineData.Data
	if len(data) != payloadtest.InlineImageSize {
		t.Errorf("%d characters of base64, want %d", len(data), payloadtest.InlineImageSize)
	}
	png, err := base64.StdEncoding.DecodeString(data)
	if err != nil || !bytes.HasPrefix(png, []byte("\x89PNG\r\n\x1a\n")) {
		t.Errorf("no PNG signature in the image, error %v", err)
	}
}
