package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Value is a setting in text form, for environment variables and flags.
type Value interface {
	// Set parses and sets the value. For a table it adds entries.
	Set(text string) error
	// String returns the value in the syntax of Set, or "" for none.
	String() string
}

// Duration is a duration such as "10s" or "1m30s".
type Duration time.Duration

// UnmarshalText parses the duration.
func (d *Duration) UnmarshalText(text []byte) error { return d.Set(string(text)) }

// Set implements [Value].
func (d *Duration) Set(text string) error {
	parsed, err := time.ParseDuration(text)
	if err != nil || parsed < 0 {
		return fmt.Errorf("%q is not a duration; want one such as 10s or 1m30s", text)
	}
	*d = Duration(parsed)
	return nil
}

// String implements [Value].
func (d *Duration) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

// MarshalText formats the duration.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Size is a number of bytes such as "64MiB", "500KB" or "1048576".
type Size int64

// units are the units of sizes, the longest name first.
var units = []struct {
	name  string
	bytes int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
	{"B", 1}, {"", 1},
}

// UnmarshalText parses the size.
func (s *Size) UnmarshalText(text []byte) error { return s.Set(string(text)) }

// Set implements [Value].
func (s *Size) Set(text string) error {
	for _, unit := range units {
		digits, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err == nil && n >= 0 && n <= (1<<62)/unit.bytes {
			*s = Size(n * unit.bytes)
			return nil
		}
	}
	return fmt.Errorf("%q is not a size; want one such as 64MiB", text)
}

// String implements [Value].
func (s *Size) String() string {
	for _, unit := range slices.Backward(units[:3]) {
		if *s > 0 && int64(*s)%unit.bytes == 0 {
			return strconv.FormatInt(int64(*s)/unit.bytes, 10) + unit.name
		}
	}
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

// MarshalText formats the size.
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// text is a string setting.
type text string

func (t *text) Set(value string) error { *t = text(value); return nil }
func (t *text) String() string         { return string(*t) }

// word is a setting with a fixed set of values.
type word struct {
	at    *string
	words []string
}

func (w word) Set(value string) error {
	if !slices.Contains(w.words, value) {
		return fmt.Errorf("%q is not one of %s", value, strings.Join(w.words, ", "))
	}
	*w.at = value
	return nil
}

func (w word) String() string { return *w.at }

// number is a non-negative integer setting.
type number int

func (n *number) Set(value string) error {
	parsed, err := strconv.Atoi(value)
	if err != nil || parsed < 0 {
		return fmt.Errorf("%q is not a whole number of at least 0; want one such as 4", value)
	}
	*n = number(parsed)
	return nil
}

func (n *number) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

// repeats is a number from 0 to 3, in which 0 is a value of its own.
type repeats int

func (r *repeats) Set(value string) error {
	parsed, err := strconv.Atoi(value)
	if err != nil || parsed < 0 || parsed > 3 {
		return fmt.Errorf("%q is not a number from 0 to 3", value)
	}
	*r = repeats(parsed)
	return nil
}

func (r *repeats) String() string { return strconv.Itoa(int(*r)) }

// flag is a boolean setting.
type flag bool

func (f *flag) Set(value string) error {
	parsed, err := strconv.ParseBool(value)
	if err != nil {
		return fmt.Errorf("%q is not a boolean; want true or false", value)
	}
	*f = flag(parsed)
	return nil
}

func (f *flag) String() string { return strconv.FormatBool(bool(*f)) }

// list is a setting of several strings, separated by commas.
type list []string

func (l *list) Set(value string) error {
	*l = nil
	for element := range strings.SplitSeq(value, ",") {
		if element = strings.TrimSpace(element); element != "" {
			*l = append(*l, element)
		}
	}
	return nil
}

func (l *list) String() string { return strings.Join(*l, ",") }

// table is a setting that maps names to strings: "a=b,c=d".
type table map[string]string

var (
	errNoPair  = errors.New("want NAME=MODEL, for example fast=" + models.Default + "; commas separate several")
	errNoChain = errors.New("want MODEL=FIRST+SECOND, for example " + models.Default +
		"=gemini-3.1-pro-preview; commas separate several")
)

func (t *table) Set(value string) error {
	out := maps.Clone(*t)
	if out == nil {
		out = table{}
	}
	for pair := range strings.SplitSeq(value, ",") {
		name, to, ok := strings.Cut(pair, "=")
		if name, to = strings.TrimSpace(name),
			strings.TrimSpace(to); !ok || name == "" || to == "" {
			return errNoPair
		}
		out[name] = to
	}
	*t = out
	return nil
}

func (t *table) String() string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(*t)) {
		pairs = append(pairs, name+"="+(*t)[name])
	}
	return strings.Join(pairs, ",")
}

// chains is a setting that maps names to several strings: "a=b+c,d=e".
type chains map[string][]string

func (c *chains) Set(value string) error {
	var pairs table
	if err := pairs.Set(value); err != nil {
		return errNoChain
	}
	out := maps.Clone(*c)
	if out == nil {
		out = chains{}
	}
	for name, chain := range pairs {
		out[name] = strings.Split(chain, "+")
	}
	*c = out
	return nil
}

func (c *chains) String() string {
	pairs := table{}
	for name, chain := range *c {
		pairs[name] = strings.Join(chain, "+")
	}
	return pairs.String()
}
