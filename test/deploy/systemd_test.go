package deploy_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const unitFile = "server/deploy/systemd/gemwire.service"

func TestSystemdFindsNothingWrongWithTheUnit(t *testing.T) {
	t.Parallel()
	unit := strings.ReplaceAll(string(read(t, unitFile)), "/usr/local/bin/gemwire", build(t))
	if out := verify(t, unit); out != "" {
		t.Errorf("systemd-analyze verify: %s", out)
	}
	if out := verify(t, strings.Replace(unit, "Type=notify", "Type=tell", 1)); out == "" {
		t.Error("systemd-analyze finds nothing in a unit that is wrong")
	}
}

// verify returns what systemd says of a unit.
func verify(t *testing.T, unit string) string {
	t.Helper()
	analyze := systemdAnalyze(t)
	file := filepath.Join(t.TempDir(), "gemwire.service")
	write(t, file, []byte(unit))
	out, err := exec.CommandContext(t.Context(), analyze, "verify", "--recursive-errors=no",
		file).CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

// systemdAnalyze returns where systemd's checks are, and skips the test without them.
func systemdAnalyze(t *testing.T) string {
	t.Helper()
	file, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	return file
}

func TestTheUnitIsHardened(t *testing.T) {
	t.Parallel()
	analyze := systemdAnalyze(t)
	// 10 is a unit without any setting of that kind; systemd calls what is below 2 safe.
	out, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=true",
		"--threshold=20", path(t, unitFile)).CombinedOutput()
	if err != nil {
		t.Errorf("systemd-analyze security: %v: %s", err, out)
	}
}

func TestTheUnitWaitsForStreamsToEnd(t *testing.T) {
	t.Parallel()
	settings := load(t, "server/deploy/systemd/gateway.yaml", nil)
	stop := regexp.MustCompile(`(?m)^TimeoutStopSec=(\d+)$`).FindSubmatch(read(t, unitFile))
	if stop == nil {
		t.Fatal("the unit has no TimeoutStopSec")
	}
	seconds, err := strconv.Atoi(string(stop[1]))
	if err != nil {
		t.Fatal(err)
	}
	needed := time.Duration(settings.ShutdownDelay) + time.Duration(settings.ShutdownGrace) +
		endingTakes
	if got := time.Duration(seconds) * time.Second; got < needed {
		t.Errorf("TimeoutStopSec is %v, want %v at least", got, needed)
	}
}
