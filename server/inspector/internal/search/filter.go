package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fieldDuration is the name of the filter that has none.
const fieldDuration = "duration"

// filter is a filter of the language.
type filter struct {
	name string
	// isComparison reports that it is written with < or > in place of a colon.
	isComparison bool
	detail       string // for the completion
	example      string // of what follows the name
	// words are the possible values, or nil for any.
	words []string
	// parse converts the value. It is nil for a text.
	parse func(f *filter, t *term, now time.Time) error
	// matches reports whether an exchange matches.
	matches func(t *term, e *Exchange) bool
}

// filters are the filters, in the order of completions. The table is read-only.
var filters = []filter{
	{name: "client", detail: "name of the client's key or program", example: "a name",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Client) }},
	{name: "status", detail: "failed, ok, running, 4xx or 429", example: statusExample,
		parse: parseStatus, matches: matchesStatus,
		words: []string{"failed", "ok", "running", "2xx", "4xx", "5xx", "429"}},
	{name: "model", detail: "requested, called or answering model", example: "a name",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Models...) }},
	{name: "lost", detail: "pointer of a lost value", example: "a JSON pointer such as /logit_bias",
		parse: parsePointer, matches: matchesLost},
	{name: "has", detail: "what the messages contain", words: hasWords,
		example: "one of " + strings.Join(hasWords, ", "), parse: parseWord,
		matches: func(t *term, e *Exchange) bool { return slices.Contains(e.Has, t.value) }},
	{name: "is", detail: "kind of exchange", words: isWords,
		example: "one of " + strings.Join(isWords, ", "), parse: parseWord,
		matches: func(t *term, e *Exchange) bool { return slices.Contains(e.Is, t.value) }},
	{name: "error", detail: "kind, type, code or message of an error", example: "a text",
		matches: matchesError},
	{name: "account", detail: "called account", example: "a name",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Accounts...) }},
	{name: "endpoint", detail: "API or path of the request",
		example: "an API such as messages, or a path",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Endpoint, e.Path) }},
	{name: "tool", detail: "called function", example: "a name",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Tools...) }},
	{name: "finish", detail: "finish reason", example: "a finish reason such as length",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Finish) }},
	{name: "header", detail: "header field of any side, as name or name=text",
		example: "name or name=text", parse: parseHeader, matches: matchesHeader},
	{name: "job", detail: "id of a bulk job", example: "an id",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Job) }},
	{name: "conversation", detail: "id of a conversation", example: "an id",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.Conversation) }},
	{name: "id", detail: "request id", example: "an id such as req_0f3c",
		matches: func(t *term, e *Exchange) bool { return t.begins(e.ID) }},
	{name: "since", detail: "not before a time", example: timeExample, parse: parseTime,
		words:   []string{"10m", "1h", "24h"},
		matches: func(t *term, e *Exchange) bool { return !e.At.Before(t.time) }},
	{name: "until", detail: "not after a time", example: timeExample, parse: parseEnd,
		words:   []string{"10m", "1h", "24h"},
		matches: func(t *term, e *Exchange) bool { return !e.At.After(t.time) }},
	{name: fieldDuration, isComparison: true, detail: "duration", example: durationExample,
		parse: parseDuration,
		matches: func(t *term, e *Exchange) bool {
			return !e.IsRunning && t.compares(e.Duration.Seconds())
		}},
	{name: "first", isComparison: true, detail: "time to first token", example: durationExample,
		parse: parseDuration,
		matches: func(t *term, e *Exchange) bool {
			return e.FirstToken > 0 && t.compares(e.FirstToken.Seconds())
		}},
	{name: "cost", isComparison: true, detail: "cost", example: "a number such as 0.01",
		parse: parseNumber,
		matches: func(t *term, e *Exchange) bool {
			return e.Cost != nil && t.compares(*e.Cost)
		}},
	{name: "tokens", isComparison: true, detail: "all tokens", example: "a number such as 1000",
		parse:   parseNumber,
		matches: func(t *term, e *Exchange) bool { return t.compares(float64(e.Tokens)) }},
}

var (
	hasWords = []string{"image", "audio", "video", "pdf", "file", "tools", "calls", "thinking",
		"cache", "structured"}
	isWords = []string{"pinned", "stream", "replay", "batch", "lossy", "imported"}
)

const (
	statusExample   = "failed, ok, running, a class such as 4xx, or a code such as 429"
	timeExample     = "an age such as 10m, or a time such as 2026-11-28T10:00"
	durationExample = "a duration such as 2s or 300ms"
)

// filterNamed returns the filter with a name that is written with an operator, or nil.
func filterNamed(name, op string) *filter {
	for i := range filters {
		if f := &filters[i]; f.name == name && f.isComparison == (op != ":") {
			return f
		}
	}
	return nil
}

// matches reports whether an exchange matches a filter, without its negation.
func (t *term) matches(e *Exchange) bool { return filterNamed(t.field, t.op).matches(t, e) }

// prepare checks and converts a value.
func (f *filter) prepare(t *term, now time.Time) error {
	if t.value == "" && !t.isExact {
		return fmt.Errorf("%s%s needs a value (%s)", written(f.name), t.op, f.example)
	}
	if f.parse == nil {
		return nil
	}
	if f.parse(f, t, now) != nil {
		return fmt.Errorf("%s%s %q is not valid; expected %s", written(f.name), t.op, t.value,
			f.example)
	}
	return nil
}

// written returns the name of a filter as it is written.
func written(name string) string {
	if name == fieldDuration {
		return ""
	}
	return name
}

// errInvalid makes prepare say what is expected.
var errInvalid = fmt.Errorf("invalid")

// begins reports whether any of the texts begins with the value. A value that was written as ""
// matches only an empty text.
func (t *term) begins(texts ...string) bool {
	if t.isExact {
		return !slices.ContainsFunc(texts, func(text string) bool { return text != "" })
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return len(text) >= len(t.value) && strings.EqualFold(text[:len(t.value)], t.value)
	})
}

func (t *term) compares(x float64) bool {
	switch t.op {
	case "<":
		return x < t.number
	case "<=":
		return x <= t.number
	case ">":
		return x > t.number
	default:
		return x >= t.number
	}
}

func parseWord(f *filter, t *term, _ time.Time) error {
	if !slices.Contains(f.words, t.value) {
		return errInvalid
	}
	return nil
}

func parseStatus(_ *filter, t *term, _ time.Time) error {
	switch t.value {
	case "failed", "ok", "running":
		return nil
	}
	if len(t.value) != 3 || t.value[0] < '1' || t.value[0] > '5' {
		return errInvalid
	}
	if t.value[1:] == "xx" {
		return nil
	}
	if _, err := strconv.ParseUint(t.value, 10, 16); err != nil {
		return errInvalid
	}
	return nil
}

func matchesStatus(t *term, e *Exchange) bool {
	switch t.value {
	case "running":
		return e.IsRunning
	case "failed":
		return e.Failure != ""
	case "ok":
		return !e.IsRunning && e.Failure == ""
	}
	if e.IsRunning {
		return false
	}
	if class, isClass := strings.CutSuffix(t.value, "xx"); isClass {
		return class == strconv.Itoa(e.Status/100)
	}
	return t.value == strconv.Itoa(e.Status)
}

func parsePointer(_ *filter, t *term, _ time.Time) error {
	if !strings.HasPrefix(t.value, "/") && !t.isExact {
		return errInvalid
	}
	return nil
}

func matchesLost(t *term, e *Exchange) bool {
	if t.isExact { // of the whole document
		return slices.Contains(e.Lost, "")
	}
	return slices.ContainsFunc(e.Lost, func(pointer string) bool {
		return pointerBegins(pointer, t.value)
	})
}

// pointerBegins reports whether a pointer begins with another one, in which "*" stands for any
// name.
func pointerBegins(pointer, prefix string) bool {
	names, wanted := strings.Split(pointer, "/"), strings.Split(prefix, "/")
	if len(names) < len(wanted) {
		return false
	}
	for i, want := range wanted {
		isLast := i == len(wanted)-1
		if want != "*" && want != names[i] && !(isLast && strings.HasPrefix(names[i], want)) {
			return false
		}
	}
	return true
}

func matchesError(t *term, e *Exchange) bool {
	if t.begins(e.Failure) {
		return true
	}
	text := newNeedle(t.value)
	return text != nil && slices.ContainsFunc(e.Errors, func(message string) bool {
		at, _ := text.find(message, 0, false)
		return at >= 0
	})
}

func parseHeader(_ *filter, t *term, _ time.Time) error {
	if name, _, _ := strings.Cut(t.value, "="); name == "" {
		return errInvalid
	}
	return nil
}

func matchesHeader(t *term, e *Exchange) bool {
	name, value, _ := strings.Cut(t.value, "=")
	text := newNeedle(value)
	return slices.ContainsFunc(e.Headers, func(h Header) bool {
		if !strings.EqualFold(h.Name, name) {
			return false
		}
		if text == nil {
			return true
		}
		at, _ := text.find(h.Value, 0, false)
		return at >= 0
	})
}

// ages are the units of an age that [time.ParseDuration] does not have.
var ages = map[byte]time.Duration{'d': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// layouts are the layouts of times. A time without a zone is in the zone of this machine.
var layouts = []string{time.RFC3339, "2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05", "2006-01-02T15:04", day}

// day is the layout of a whole day.
const day = "2006-01-02"

// longestAge limits ages, so that times stay valid.
const longestAge = 100 * 365 * 24 * time.Hour

func parseTime(_ *filter, t *term, now time.Time) (err error) {
	t.time, err = Time(t.value, now)
	return err
}

// parseEnd is parseTime, but a day stands for its end.
func parseEnd(f *filter, t *term, now time.Time) error {
	if at, err := time.ParseInLocation(day, t.value, now.Location()); err == nil {
		t.time = at.AddDate(0, 0, 1).Add(-1)
		return nil
	}
	return parseTime(f, t, now)
}

// Time returns the time that a text means, which is an age such as 10m, or a time.
func Time(text string, now time.Time) (time.Time, error) {
	if age, err := parseAge(text); err == nil {
		return now.Add(-age), nil
	}
	for _, layout := range layouts {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errInvalid
}

func parseAge(text string) (time.Duration, error) {
	if text == "" {
		return 0, errInvalid
	}
	age, err := time.ParseDuration(text)
	if unit, ok := ages[text[len(text)-1]]; ok {
		var n uint64
		n, err = strconv.ParseUint(text[:len(text)-1], 10, 16)
		age = time.Duration(n) * unit
	}
	if err != nil || age < 0 || age > longestAge {
		return 0, errInvalid
	}
	return age, nil
}

func parseDuration(_ *filter, t *term, _ time.Time) error {
	d, err := time.ParseDuration(t.value)
	t.number = d.Seconds()
	return err
}

func parseNumber(_ *filter, t *term, _ time.Time) error {
	n, err := strconv.ParseFloat(t.value, 64)
	t.number = n
	return err
}
