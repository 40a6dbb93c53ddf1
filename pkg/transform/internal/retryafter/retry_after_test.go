package retryafter_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/transform/internal/retryafter"
)

func TestTheDelayIsInSecondsOrUntilATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for text, want := range map[string]time.Duration{
			"": 0, "soon": 0, "7": 7 * time.Second, "1.5": 1500 * time.Millisecond,
			time.Now().Add(time.Minute).UTC().Format(http.TimeFormat): time.Minute,
		} {
			if got := retryafter.Delay(http.Header{"Retry-After": {text}}); got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	})
}
