// Package organization has the lists of usage and costs in the form of OpenAI's administration API.
package organization

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	usage "github.com/gemwire/gemwire/server/usage/row"
)

// Query is a request for a list.
type Query struct {
	// From and Until are the bounds of the time, in whole days of UTC. Until is exclusive.
	From, Until time.Time
	limit       int
	groups      []string
	keys        []string
	models      []string
	isBatch     *bool
}

// day is the width of a bucket.
const day = 24 * time.Hour

// Kind is what a list has.
type Kind string

// The kinds.
const (
	Completions Kind = "usage.completions"
	Embeddings  Kind = "usage.embeddings"
	Costs       Kind = "costs"
)

// groupsOf are the values of group_by.
var groupsOf = map[Kind][]string{
	Completions: {"project_id", "user_id", "api_key_id", "model", "batch", "service_tier"},
	Embeddings:  {"project_id", "user_id", "api_key_id", "model"},
	Costs:       {"project_id", "line_item", "api_key_id"},
}

// maxLimit are the maximum numbers of buckets.
var maxLimit = map[Kind]int{Completions: 31, Embeddings: 31, Costs: 180}

// defaultLimit is the number of buckets without limit.
const defaultLimit = 7

// Read reads the query of a request.
func Read(kind Kind, values url.Values, now time.Time) (*Query, *problem.Problem) {
	start, p := timeIn(values, "start_time")
	if p != nil {
		return nil, p
	}
	if start.IsZero() {
		return nil, problem.Invalid("missing_required_parameter", "/start_time",
			"start_time: must be set, in Unix seconds")
	}
	end, p := timeIn(values, "end_time")
	if p != nil {
		return nil, p
	}
	q := &Query{From: start.Truncate(day), Until: now.UTC().Truncate(day).Add(day),
		limit: defaultLimit, groups: listIn(values, "group_by"), keys: listIn(values, "api_key_ids"),
		models: listIn(values, "models")}
	if !end.IsZero() {
		if !end.After(start) {
			return nil, problem.Invalid("", "/end_time", "end_time: must be after start_time")
		}
		q.Until = minTime(q.Until, end.Add(day-1).Truncate(day))
	}
	if width := values.Get("bucket_width"); width != "" && width != "1d" {
		return nil, problem.Invalid("unsupported_value", "/bucket_width",
			"bucket_width: must be 1d, because the gateway keeps usage per day")
	}
	for _, group := range q.groups {
		if !slices.Contains(groupsOf[kind], group) {
			return nil, problem.Invalid("", "/group_by", fmt.Sprintf("group_by: %q is unknown; use %s",
				group, strings.Join(groupsOf[kind], ", ")))
		}
	}
	return q, q.readRest(kind, values)
}

// readRest reads the number of buckets, the page and the filters.
func (q *Query) readRest(kind Kind, values url.Values) *problem.Problem {
	if text := values.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxLimit[kind] {
			return problem.Invalid("", "/limit",
				fmt.Sprintf("limit: must be from 1 to %d", maxLimit[kind]))
		}
		q.limit = n
	}
	if page := values.Get("page"); page != "" {
		seconds, err := strconv.ParseInt(strings.TrimPrefix(page, pagePrefix), 10, 64)
		if err != nil {
			return problem.Invalid("", "/page", "page: must be a next_page of an earlier answer")
		}
		q.From = time.Unix(seconds, 0).UTC().Truncate(day)
	}
	if text := values.Get("batch"); text != "" {
		isBatch, err := strconv.ParseBool(text)
		if err != nil {
			return problem.Invalid("", "/batch", "batch: must be true or false")
		}
		q.isBatch = &isBatch
	}
	for _, name := range []string{"project_ids", "user_ids"} {
		if len(listIn(values, name)) > 0 {
			return problem.Invalid("unsupported_value", "/"+name,
				name+": the gateway has no projects and users; use api_key_ids")
		}
	}
	return nil
}

// pagePrefix begins a cursor. The start time of the page follows.
const pagePrefix = "page_"

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// timeIn returns a time in Unix seconds, or the zero time.
func timeIn(values url.Values, name string) (time.Time, *problem.Problem) {
	text := values.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 || seconds > maxSeconds {
		return time.Time{}, problem.Invalid("", "/"+name, name+": must be a time in Unix seconds")
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// maxSeconds is in the year 9999.
const maxSeconds = 253_402_300_799

// listIn returns the values of a parameter in the styles of OpenAI's libraries: repeated, with
// brackets, or separated by commas.
func listIn(values url.Values, name string) (out []string) {
	for _, value := range slices.Concat(values[name], values[name+"[]"]) {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

// page returns the days of one page, and the start of the next one or the zero time.
func (q *Query) page() (days []time.Time, next time.Time) {
	at := q.From
	for ; at.Before(q.Until) && len(days) < q.limit; at = at.Add(day) {
		days = append(days, at)
	}
	if at.Before(q.Until) {
		next = at
	}
	return days, next
}

// Days returns the first and the last day of the page, as in [usage.Key]. The last day is before
// the first one for a page without days.
func (q *Query) Days() (first, last string) {
	days, _ := q.page()
	if len(days) == 0 {
		return usage.DayOf(q.From), usage.DayOf(q.From.Add(-day))
	}
	return usage.DayOf(days[0]), usage.DayOf(days[len(days)-1])
}

// permits reports whether a row passes the filters.
func (q *Query) permits(row *usage.Row) bool {
	return (len(q.keys) == 0 || slices.Contains(q.keys, row.Client)) &&
		(len(q.models) == 0 || slices.Contains(q.models, row.Model)) &&
		(q.isBatch == nil || *q.isBatch == isBatch(&row.Key))
}

func isBatch(key *usage.Key) bool { return key.Tier == "batch" }
