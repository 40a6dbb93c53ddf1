package upload_test

import (
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/internal/upload"
)

func TestChunksAreMultiplesOfWhatTheServerWants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		wanted      int
		granularity string
		want        int
	}{
		{10, "", 10}, {10, "four", 10}, {10, "-4", 10}, {10, "0", 10}, {10, "1", 10},
		{10, "4", 12}, {8, "4", 8}, {3, "4", 4}, {0, "4", 4},
		{10, "67108864", 64 << 20}, {10, "67108865", 10}, // a size that no client should hold
	} {
		header := http.Header{}
		header.Set(upload.HeaderGranularity, tt.granularity)
		if got := upload.ChunkSize(tt.wanted, header); got != tt.want {
			t.Errorf("%d by %q: %d", tt.wanted, tt.granularity, got)
		}
	}
}

func TestACountThatIsMissingOrWrongIsNegative(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]int64{"": -1, "x": -1, "-2": -1, "0": 0, "7": 7} {
		if got := upload.Number(http.Header{"N": {value}}, "N"); got != want {
			t.Errorf("%q: %d", value, got)
		}
	}
}
