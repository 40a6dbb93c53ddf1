package errorbody

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// retryAfter returns the first wait that the reply asks for, from the most to the least exact
// source. Google sends no Retry-After header of its own; one comes from a proxy.
func retryAfter(facts Facts, object errorObject, reply errorReply,
	header http.Header) time.Duration {
	var waits []string
	for _, detail := range facts.Details {
		if detail.RetryDelay != nil {
			waits = append(waits, *detail.RetryDelay)
		}
	}
	for _, value := range []jsontext.Value{object.RetryDelay, reply.RetryDelay} {
		if text, ok := stringOf(value); ok {
			waits = append(waits, text)
		}
	}
	for _, text := range waits {
		if wait := parseWait(text); wait > 0 {
			return wait
		}
	}
	if wait := headerWait(header); wait > 0 {
		return wait
	}
	return messageWait(facts.Message)
}

// parseWait parses a duration such as "34.074824224s", exact to the nanosecond, or bare seconds. It
// returns 0 for invalid and negative durations, and [longestWait] for longer ones: a protobuf
// Duration may be 10,000 years.
func parseWait(text string) time.Duration {
	wait, err := time.ParseDuration(text)
	if err != nil {
		wait, err = time.ParseDuration(text + "s")
	}
	if seconds, parseErr := strconv.ParseFloat(strings.TrimSuffix(text, "s"), 64); err != nil &&
		parseErr == nil {
		wait = secondsOf(seconds)
	}
	return min(max(wait, 0), longestWait)
}

// longestWait replaces any longer wait.
const longestWait = 365 * 24 * time.Hour

// secondsOf converts seconds. It returns longestWait if the result would be longer, and 0 for
// invalid numbers.
func secondsOf(seconds float64) time.Duration {
	switch {
	case math.IsInf(seconds, 1):
		return 0
	case seconds >= longestWait.Seconds():
		return longestWait
	case seconds > 0:
		return time.Duration(seconds * float64(time.Second))
	default:
		return 0
	}
}

// headerWait reads Retry-After: seconds, or a date. It compares the date with the reply's own date,
// so that a wrong local clock does no harm.
func headerWait(header http.Header) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return parseWait(value)
	}
	then, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(then.Sub(now), 0), longestWait)
}

// messageWait reads "Please retry in 23.47s." at the end of a message about a quota.
func messageWait(message string) time.Duration {
	_, rest, found := strings.Cut(message, "retry in ")
	if !found {
		return 0
	}
	word, _, _ := strings.Cut(rest, " ")
	wait, _ := time.ParseDuration(strings.TrimRight(word, ".,;!\n"))
	return min(max(wait, 0), longestWait)
}
