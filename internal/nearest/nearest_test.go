package nearest_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/nearest"
)

func TestTheNearestNameIsFound(t *testing.T) {
	t.Parallel()
	names := []string{"addr", "grace", "Temperature", "n"}
	for typed, want := range map[string]string{
		"adr": "addr", "grase": "grace", "temprature": "Temperature", "TEMPERATURE": "Temperature",
		"": "", "x": "", "unlike": "",
		// A name from a request may have any length. With millions of letters this would take
		// minutes.
		strings.Repeat("temperature", 4<<20): "",
	} {
		if got := nearest.Name(typed, names); got != want {
			t.Errorf("%.20q: %q, want %q", typed, got, want)
		}
	}
}
