package modelfacts_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/gateway/internal/modelfacts"
)

func TestAMemorySaysWhatTheTableSays(t *testing.T) {
	t.Parallel()
	var memory modelfacts.Memory
	names := append(models.IDs(), "", "custom", "models/gemini-2.5-flash",
		strings.Repeat("gemini-", 100))
	for i := range 300 { // more than it remembers
		names = append(names, fmt.Sprint("gemini-9-", i))
	}
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for _, name := range names {
				for _, when := range []time.Time{{}, noon, noon.AddDate(1, 0, 0)} {
					for _, service := range []models.Backends{models.BothBackends,
						models.GeminiAPI, models.VertexAI} {
						got := *memory.At(name, service, when)
						want := models.At(name, service, when.Truncate(24*time.Hour))
						if !reflect.DeepEqual(got, want) {
							t.Errorf("%s at %s: %+v, want %+v", name, when, got, want)
						}
					}
				}
			}
		})
	}
	askers.Wait()
}
