package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAnAttackIsHeldOnlyIfNothingOfTheHonestClientFails(t *testing.T) {
	t.Parallel()
	good := seen{asked: 2, times: []time.Duration{time.Millisecond, time.Second}}
	tests := map[string]struct {
		outcome outcome
		want    string // a part of the error, none for ""
	}{
		"all answered":        {outcome{honest: good, highest: 1 << 20}, ""},
		"a failure":           {outcome{honest: seen{asked: 1, failures: []error{errors.New("cut")}}}, "1 of 1 honest requests failed, the first with cut"},
		"a slow answer":       {outcome{honest: seen{asked: 1, times: []time.Duration{9 * time.Second}}}, "took 9s"},
		"much memory":         {outcome{honest: good, highest: 700 << 20}, "700 MB of memory"},
		"a gateway that died": {outcome{honest: good, ended: errors.New("the gateway has died")}, "has died"},
		"nothing asked":       {outcome{}, "no honest request was answered"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tt.outcome.judge()
			if tt.want == "" && err != nil ||
				tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestAttacksAreChosenByTheirNames(t *testing.T) {
	t.Parallel()
	all, err := attacksNamed("")
	if err != nil || len(all) != len(attacks) {
		t.Errorf("got %d attacks, %v", len(all), err)
	}
	two, err := attacksNamed("junk, names")
	if err != nil || len(two) != 2 || two[0].name != "junk" || two[1].name != "names" {
		t.Errorf("got %v, %v", two, err)
	}
	if _, err := attacksNamed("jnk"); err == nil ||
		!strings.Contains(err.Error(), `"jnk" is not an attack; use slow-bodies, `) {
		t.Errorf("got %v", err)
	}
}
