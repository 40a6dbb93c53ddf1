// Package duration is a duration as files have it: the text "1.5s".
package duration

import "time"

// Duration writes and reads itself as a text such as "200ms". It is not negative when it was read.
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
