package openaianswer

import (
	"time"

	"github.com/gemwire/gemwire/pkg/report"
)

// ReportTime reports the difference between Gemini's time and the answer's member, which counts
// seconds since 1970. Extensions have the exact time; a plain answer does not. set is nil if no
// option set the time.
func ReportTime(entries *report.Report, member, createTime string, set *time.Time, isPlain bool) {
	const pointer = "/createTime"
	at, isKnown := unixTime(createTime)
	switch {
	case set != nil:
		if isPlain && createTime != "" {
			entries.Add(report.Lost, pointer, "another time was set")
		}
	case createTime == "":
		entries.Add(report.Added, pointer, "the response has no time")
	case !isKnown:
		entries.Add(report.Approximated, pointer, "not a time after 1970, so "+member+" is 0")
	case isPlain && time.Unix(at, 0).UTC().Format(time.RFC3339) != createTime:
		entries.Add(report.Approximated, pointer, "rounded, because "+member+" counts whole seconds")
	}
}

// Seconds returns the time of an answer in seconds since 1970: the time of an option, else
// Gemini's. It is 0 for a time before 1970 or a missing time.
func Seconds(createTime string, set *time.Time) int64 {
	if set != nil {
		return max(set.Unix(), 0)
	}
	at, _ := unixTime(createTime)
	return at
}

// unixTime converts Gemini's time. It returns 0 and false for a time before 1970 or a missing time.
func unixTime(text string) (seconds int64, isKnown bool) {
	if text == "" {
		return 0, false
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Unix() < 0 {
		return 0, false
	}
	return at.Unix(), true
}
