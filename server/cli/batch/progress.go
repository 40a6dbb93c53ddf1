package batch

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/schollz/progressbar/v3"
)

// display shows the progress of a job: a bar on a terminal, and elsewhere a line at intervals.
type display struct {
	session  *session
	bar      *progressbar.ProgressBar // nil where there is no terminal
	frame    bytes.Buffer             // what the bar has drawn and the terminal does not have yet
	pace     pace
	reported time.Time // when the last line was printed
	reason   string    // of the last pause that was printed
}

// reportEvery is the interval of lines without a terminal.
const reportEvery = 10 * time.Second

func newDisplay(s *session) *display { return &display{session: s, reported: time.Now()} }

// show shows progress.
func (d *display) show(p bulk.Progress) {
	d.pace.add(p.At, p.Counts.Done())
	if process.IsTerminal(d.session.stderr) {
		d.showBar(p)
		return
	}
	reason := ""
	if p.Job.Parking != nil {
		reason = p.Job.Parking.Reason
	}
	isPaused := reason != "" && reason != d.reason
	d.reason = reason
	if !isPaused && p.At.Sub(d.reported) < reportEvery {
		return
	}
	d.reported = p.At
	d.session.note("%s", strings.Join(d.words(p), ", "))
}

func (d *display) showBar(p bulk.Progress) {
	if p.Counts.Total == 0 {
		return
	}
	if d.bar == nil {
		d.bar = d.newJobBar(p.Counts.Total)
	}
	d.draw(p, process.Columns(d.session.stderr)-barRoom)
}

// draw draws the bar with as many words as fit into the room.
func (d *display) draw(p bulk.Progress, room int) {
	_ = d.bar.Set64(p.Counts.Done())
	if !d.bar.IsFinished() { // a finished bar has only removed itself
		d.frame.Reset() // it has the new percentage with the old words
		d.bar.Describe(fit(d.barWords(p), room))
	}
	d.flush()
}

// flush writes what the bar has drawn.
func (d *display) flush() { _, _ = d.frame.WriteTo(d.session.stderr) }

// newJobBar returns the bar of a job. It draws into the frame, because it draws the percentage and
// the words one after the other. It has no throttle, which would skip one of the two.
func (d *display) newJobBar(lines int64, more ...progressbar.Option) *progressbar.ProgressBar {
	return newBar(d.session.stderr, lines, append(more, progressbar.OptionThrottle(0),
		progressbar.OptionSetWriter(&d.frame))...)
}

// newBar returns a bar whose description has all information.
func newBar(stderr io.Writer, size int64, more ...progressbar.Option) *progressbar.ProgressBar {
	return progressbar.NewOptions64(size, append([]progressbar.Option{
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetVisibility(process.IsTerminal(stderr)),
		progressbar.OptionSetWidth(20),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionClearOnFinish(),
	}, more...)...)
}

// end removes the bar.
func (d *display) end() {
	if d.bar != nil {
		_ = d.bar.Clear()
		d.flush()
	}
}

// The width of a bar without its description, without and with the bytes of a file.
const (
	barRoom   = 14
	bytesRoom = 45
)

// minReason is the room for a part of the reason of a pause.
const minReason = 20

// fit returns as many words as fit into a line, at least the first word or a part of it. A bar that
// takes two lines could not be removed completely.
func fit(words []string, room int) string {
	line := []rune(words[0])
	if len(line) > max(room, 1) {
		return string(line[:max(room, 1)])
	}
	for _, word := range words[1:] {
		switch more := []rune(", " + word); {
		case len(line)+len(more) <= room:
			line = append(line, more...)
		case strings.HasPrefix(word, "paused") && len(line)+minReason <= room: // in part
			line = append(line, more[:room-len(line)]...)
		}
	}
	return string(line)
}

// barWords returns the same as words, with the words that matter most first, because the last ones
// may not fit.
func (d *display) barWords(p bulk.Progress) []string {
	words := []string{fmt.Sprintf("%d of %d lines", p.Counts.Done(), p.Counts.Total)}
	rate := d.pace.rate()
	words = append(words, d.state(p, rate)...)
	if rate > 0 {
		words = append(words, formatRate(rate))
	}
	usage := usageWords(p.Usage)
	if p.Usage.Currency != "" && len(usage) > 2 {
		words, usage = append(words, usage[2:]...), usage[:2]
	}
	if p.Counts.Failed > 0 {
		words = append(words, fmt.Sprintf("%d failed", p.Counts.Failed))
	}
	return append(words, usage...)
}

// words returns the progress, rate, tokens, cost and expected end of a job.
func (d *display) words(p bulk.Progress) []string {
	words := []string{fmt.Sprintf("%d of %d lines", p.Counts.Done(), p.Counts.Total)}
	if p.Counts.Failed > 0 {
		words = append(words, fmt.Sprintf("%d failed", p.Counts.Failed)+kinds(p.Failures))
	}
	rate := d.pace.rate()
	if rate > 0 {
		words = append(words, formatRate(rate))
	}
	words = append(words, usageWords(p.Usage)...)
	return append(words, d.state(p, rate)...)
}

// state returns why a job waits, or its state, or the time left.
func (d *display) state(p bulk.Progress, rate float64) []string {
	switch left := p.Counts.Total - p.Counts.Done(); {
	case p.Job.Parking != nil:
		return []string{parkingWords(p.Job.Parking)}
	case p.Job.State != bulk.InProgress:
		return []string{string(p.Job.State)}
	case rate > 0 && left > 0:
		return []string{formatTime(time.Duration(float64(left)/rate*float64(time.Second))) + " left"}
	}
	return nil
}

func parkingWords(parking *bulk.Parking) string {
	text := "paused"
	if !parking.Until.IsZero() {
		text += " until " + parking.Until.Local().Format("Jan 2 15:04")
	}
	if parking.Reason != "" {
		text += ": " + parking.Reason
	}
	if parking.Reason == geminibatch.ReasonLive {
		text += "; to make them, start gemwire worker with --fallback-live and call gemwire batch resume"
	}
	return text
}

// kinds counts failures by their kind, the most frequent first: " (12 × 429 rate_limit_exceeded, 1
// × 400)".
func kinds(failures map[string]int64) string {
	if len(failures) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(failures), func(a, b string) int {
		if failures[a] != failures[b] {
			return int(failures[b] - failures[a])
		}
		return strings.Compare(a, b)
	})
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = fmt.Sprintf("%d × %s", failures[name], name)
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// usageWords returns the token counts, and their cost if a price is known.
func usageWords(u line.Usage) []string {
	if u.InputTokens+u.OutputTokens == 0 {
		return nil
	}
	tokensIn := formatCount(u.InputTokens) + " tokens in"
	if u.InputTokens == 1 {
		tokensIn = "1 token in"
	}
	words := []string{tokensIn, formatCount(u.OutputTokens) + " out"}
	switch {
	case u.Currency != "" && u.Unpriced > 0:
		words = append(words,
			fmt.Sprintf("%s and %s without a price", formatCost(u.Cost, u.Currency),
				message.Count(u.Unpriced, "call")))
	case u.Currency != "":
		words = append(words, formatCost(u.Cost, u.Currency))
	}
	return words
}

// pace measures how fast lines were done recently.
type pace struct{ samples []sample }

type sample struct {
	at   time.Time
	done int64
}

// paceTime is the period over which a pace is measured.
const paceTime = 30 * time.Second

func (p *pace) add(at time.Time, done int64) {
	for len(p.samples) > 1 && at.Sub(p.samples[1].at) >= paceTime {
		p.samples = p.samples[1:]
	}
	p.samples = append(p.samples, sample{at, done})
}

// rate returns the lines per second, or 0 without lines.
func (p *pace) rate() float64 {
	if len(p.samples) < 2 {
		return 0
	}
	first, last := p.samples[0], p.samples[len(p.samples)-1]
	seconds := last.at.Sub(first.at).Seconds()
	if seconds <= 0 || last.done <= first.done {
		return 0
	}
	return float64(last.done-first.done) / seconds
}

// formatRate formats a rate in the smallest unit of time that gives at least one.
func formatRate(perSecond float64) string {
	switch {
	case perSecond >= 10:
		return fmt.Sprintf("%.0f per second", perSecond)
	case perSecond >= 1:
		return fmt.Sprintf("%.1f per second", perSecond)
	default:
		return fmt.Sprintf("%.1f per minute", perSecond*60)
	}
}

// formatCount formats a number of tokens in short form, such as "9120", "12.3k" and "4.57M".
func formatCount(n int64) string {
	switch {
	case n >= 1_000_000_000:
		return fmt.Sprintf("%.3gG", float64(n)/1e9)
	case n >= 1_000_000:
		return fmt.Sprintf("%.3gM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.3gk", float64(n)/1e3)
	default:
		return fmt.Sprint(n)
	}
}

// formatCost formats an amount. A small amount has more digits.
func formatCost(amount float64, currency string) string {
	if amount < 1 {
		return fmt.Sprintf("%.4f %s", amount, currency)
	}
	return fmt.Sprintf("%.2f %s", amount, currency)
}

// formatTime formats a duration, such as "1h05m", "3m20s" and "12s".
func formatTime(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%.1f days", d.Hours()/24)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	default:
		return fmt.Sprintf("%ds", d/time.Second)
	}
}
