package batch

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/schollz/progressbar/v3"
)

// TestProgressSaysRateTokensCostFailuresAndTimeLeft is an internal test, because a line is printed
// only every ten seconds.
func TestProgressSaysRateTokensCostFailuresAndTimeLeft(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	d := newDisplay(&session{stderr: &stderr})
	start := d.reported
	at := func(after time.Duration, done, failed int64) bulk.Progress {
		return bulk.Progress{
			At: start.Add(after), Job: bulk.Job{State: bulk.InProgress},
			Counts: bulk.Counts{Total: 10_000, Completed: done - failed, Failed: failed},
			Usage: line.Usage{InputTokens: done * 100, OutputTokens: done * 1000,
				Cost: float64(done) / 1000, Currency: "USD"},
			Failures: map[string]int64{"400": 1, "429 rate_limit_exceeded": failed - 1},
		}
	}
	d.show(at(time.Second, 100, 3))
	d.show(at(5*time.Second, 300, 3))
	d.show(at(11*time.Second, 600, 3))
	d.show(at(21*time.Second, 1100, 3))
	rests := at(40*time.Second, 1100, 3)
	rests.Job.Parking = &bulk.Parking{Reason: "the daily quota is used up"}
	d.show(rests)
	const want = "gemwire: 600 of 10000 lines, 3 failed (2 × 429 rate_limit_exceeded, 1 × 400), 50 per second, 60k tokens in, 600k out, 0.6000 USD, 3m08s left\n" +
		"gemwire: 1100 of 10000 lines, 3 failed (2 × 429 rate_limit_exceeded, 1 × 400), 50 per second, 110k tokens in, 1.1M out, 1.10 USD, 2m58s left\n" +
		"gemwire: 1100 of 10000 lines, 3 failed (2 × 429 rate_limit_exceeded, 1 × 400), 23 per second, 110k tokens in, 1.1M out, 1.10 USD, paused: the daily quota is used up\n"
	if got := stderr.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestProgressFitsIntoALine(t *testing.T) {
	t.Parallel()
	words := []string{"58 of 3000 lines", "68 per second", "116 tokens in", "4254 out", "44s left"}
	for room, want := range map[int]string{
		200: "58 of 3000 lines, 68 per second, 116 tokens in, 4254 out, 44s left",
		42:  "58 of 3000 lines, 68 per second, 4254 out",
		26:  "58 of 3000 lines, 4254 out", 16: "58 of 3000 lines", 5: "58 of", -14: "5",
	} {
		if got := fit(words, room); got != want {
			t.Errorf("in %d: %q, want %q", room, got, want)
		}
	}
}

func TestTimesAndRatesAreWordedByTheirSize(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		12 * time.Second: "12s", 200 * time.Second: "3m20s", 65 * time.Minute: "1h05m",
		60 * time.Hour: "2.5 days",
	} {
		if got := formatTime(d); got != want {
			t.Errorf("%s: %s", want, got)
		}
	}
	for rate, want := range map[float64]string{123.4: "123 per second", 1.25: "1.2 per second",
		0.1: "6.0 per minute"} {
		if got := formatRate(rate); got != want {
			t.Errorf("%s: %s", want, got)
		}
	}
}

// TestEachFrameOfTheBarHasThePercentageOfItsLines draws frames that a terminal shows only for a
// moment, too.
func TestEachFrameOfTheBarHasThePercentageOfItsLines(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	d := newDisplay(&session{stderr: &stderr})
	d.bar = d.newJobBar(10_000, progressbar.OptionSetVisibility(true))
	frame := regexp.MustCompile(`^(\d+) of 10000 lines\D+(\d+)% `)
	for _, done := range []int64{0, 100, 150, 1500, 4200, 9999} {
		stderr.Reset()
		d.draw(bulk.Progress{At: d.reported, Job: bulk.Job{State: bulk.InProgress},
			Counts: bulk.Counts{Total: 10_000, Completed: done}}, 60)
		var frames []string
		for text := range strings.SplitSeq(stderr.String(), "\r") {
			if strings.TrimSpace(text) != "" {
				frames = append(frames, text)
			}
		}
		if len(frames) != 1 {
			t.Errorf("%d lines: got the frames %q; want one", done, frames)
		}
		for _, text := range frames {
			found := frame.FindStringSubmatch(text)
			if found == nil || found[1] != fmt.Sprint(done) || found[2] != fmt.Sprint(done/100) {
				t.Errorf("%d lines: got the frame %q; want %d%%", done, text, done/100)
			}
		}
	}
}

func TestAFinishedBarIsRemoved(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	d := newDisplay(&session{stderr: &stderr})
	d.bar = d.newJobBar(10, progressbar.OptionSetVisibility(true))
	for _, done := range []int64{9, 10} {
		d.draw(bulk.Progress{At: d.reported, Job: bulk.Job{State: bulk.InProgress},
			Counts: bulk.Counts{Total: 10, Completed: done}}, 60)
	}
	lines := strings.Split(stderr.String(), "\r")
	if last := lines[len(lines)-2:]; strings.TrimSpace(strings.Join(last, "")) != "" ||
		!strings.Contains(stderr.String(), "9 of 10 lines") {
		t.Errorf("got %q; want spaces and a carriage return after the last frame", lines)
	}
}

func TestOn80ColumnsTheBarHasRateCostAndTimeLeftOrTheReasonOfAPause(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	p := bulk.Progress{At: at, Job: bulk.Job{State: bulk.InProgress},
		Counts: bulk.Counts{Total: 1_000_000, Completed: 123_456, Failed: 1200},
		Usage: line.Usage{InputTokens: 123_456_000, OutputTokens: 99_000_000, Cost: 123.45,
			Currency: "USD"}}
	d := &display{}
	d.pace.add(at.Add(-10*time.Second), 100_000)
	d.pace.add(at, p.Counts.Done())
	got := fit(d.barWords(p), 80-barRoom)
	for _, want := range []string{"per second", "left", "123.45 USD"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	p.Job.Parking = &bulk.Parking{Reason: strings.Repeat("the daily quota is used up ", 9)}
	if got := fit(d.barWords(p), 80-barRoom); !strings.Contains(got, "the daily quota") ||
		len(got) > 80-barRoom {
		t.Errorf("paused: %q", got)
	}
}

func TestAPauseIsPrintedAtOnce(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	d := newDisplay(&session{stderr: &stderr})
	p := bulk.Progress{At: d.reported, Job: bulk.Job{State: bulk.InProgress,
		Parking: &bulk.Parking{Reason: "the key is refused"}}, Counts: bulk.Counts{Total: 10}}
	d.show(p)
	d.show(p)
	if got := stderr.String(); got != "gemwire: 0 of 10 lines, paused: the key is refused\n" {
		t.Errorf("got %q", got)
	}
}
