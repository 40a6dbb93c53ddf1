// Package duration encodes durations as text in files, such as "1.5s".
package duration

import "time"

// Duration is a duration whose JSON form is a text such as "200ms". Decoding refuses negative ones.
type Duration time.Duration

// MarshalText returns the text of [time.Duration].
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads a text of [time.ParseDuration].
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return errNoDuration
	}
	if parsed < 0 {
		return errNegative
	}
	*d = Duration(parsed)
	return nil
}
