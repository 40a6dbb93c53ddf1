package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/test/load/internal/measurement"
)

// TestMain lets this program be the servers of a measurement, as the command is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		main()
		return
	}
	os.Exit(m.Run())
}

// What is measured in so short a time says nothing, but that everything is measured, and nothing
// goes wrong.
func TestEverythingIsMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for _, name := range measurement.Names() {
		var out bytes.Buffer
		plan := measurement.Plan{Only: []string{name}, Scale: 0.02, Out: &out}
		if err := plan.Run(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(out.String(), "| gateway") {
			t.Errorf("%s: the table has no row for the gateway: %s", name, out.String())
		}
		for _, exact := range []string{"none of", "every request ended", "nothing but answers"} {
			if strings.Contains(out.String(), "MISSED: "+exact) {
				t.Errorf("%s: %s", name, out.String())
			}
		}
	}
}

func TestUnknownMeasurementIsRefused(t *testing.T) {
	plan := measurement.Plan{Only: []string{"speed"}, Out: &bytes.Buffer{}}
	if err := plan.Run(); err == nil || !strings.Contains(err.Error(), "saturation, whole") {
		t.Error(err)
	}
}
