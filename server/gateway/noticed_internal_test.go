package gateway

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Clients choose the model names, so the log and its memory must have limits.
func TestTheLogWarnsOfALimitedNumberOfModels(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var n noticed
	logger := slog.New(slog.NewTextHandler(&log, nil))
	for i := range maxNoticed + 2 {
		for range 2 {
			n.warn(logger,
				models.Notice{Kind: models.NoticeRouted, Target: fmt.Sprint("model-", i)})
		}
	}
	if got := strings.Count(log.String(), "\n"); got != maxNoticed || len(n.seen) != maxNoticed {
		t.Errorf("%d lines of %d models, want %d", got, len(n.seen), maxNoticed)
	}
	n.warn(nil, models.Notice{Target: "another"}) // without a log there is nothing to do
}
