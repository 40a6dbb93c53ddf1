package inspector

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/gemwire/gemwire/server/inspector/internal/search"
)

// Limits of a search.
const (
	// shownMatches is the maximum number of exchanges whose matching texts are shown.
	shownMatches = 200
	maxQuery     = 4 << 10
)

// searchAnswer is the result of a search in the page's format.
type searchAnswer struct {
	Total   int                       `json:"total"`
	Numbers []int                     `json:"numbers"` // the newest first
	Matches map[string][]search.Match `json:"matches"` // of the newest, by number
	// Error says what is wrong with the query, or "". At is the location, in UTF-16 units as in
	// JavaScript.
	Error string `json:"error"`
	At    int    `json:"at"`
	// Query is the query in a uniform layout, and Took the milliseconds of the search.
	Query string  `json:"query"`
	Took  float64 `json:"took"`
}

// search answers with the exchanges that match a query. An invalid query is no failure of the
// request, because a user is typing it.
func (i *Inspector) search(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	answer := searchAnswer{Numbers: []int{}, Matches: map[string][]search.Match{}}
	text, ok := queryText(w, r)
	if !ok {
		return
	}
	query, err := search.Parse(text, i.clock())
	if invalid, ok := errors.AsType[*search.Error](err); ok {
		answer.Error, answer.At = invalid.Message, units(text, invalid.At)
		writeJSON(w, http.StatusOK, answer)
		return
	}
	exchanges, numbers := i.searched()
	limit := numberIn(r, "limit", len(exchanges))
	ctx, cancel := i.untilClosed(r.Context())
	defer cancel()
	result, err := query.Run(ctx, exchanges, min(limit, shownMatches))
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, "the search was canceled")
		return
	}
	answer.Total, answer.Query = len(result.Found), query.String()
	for n := len(result.Found) - 1; n >= max(0, len(result.Found)-limit); n-- {
		at := result.Found[n]
		answer.Numbers = append(answer.Numbers, numbers[at])
		if matches := result.Matches[at]; matches != nil {
			answer.Matches[strconv.Itoa(numbers[at])] = i.retain.hits(matches)
		}
	}
	answer.Took = milliseconds(time.Since(begin))
	writeJSON(w, http.StatusOK, answer)
}

// untilClosed returns a context that also ends when the inspector closes.
func (i *Inspector) untilClosed(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-i.closed:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// queryText returns the query of a request, or answers that it is too long.
func queryText(w http.ResponseWriter, r *http.Request) (string, bool) {
	text := strings.ToValidUTF8(r.URL.Query().Get("q"), "\uFFFD")
	if len(text) > maxQuery {
		refuse(w, http.StatusBadRequest, "the query is too long; the maximum is 4096 bytes")
		return "", false
	}
	return text, true
}

// searched returns all exchanges for the search, and their numbers.
func (i *Inspector) searched() ([]search.Exchange, []int) {
	records := i.store.copies()
	exchanges, numbers := make([]search.Exchange, len(records)), make([]int, len(records))
	for n := range records {
		exchanges[n], numbers[n] = records[n].searched(i.store.groups), records[n].number
	}
	return exchanges, numbers
}

// completion is a completion in the page's format. From and To are in UTF-16 units.
type completion struct {
	search.Completion
	From int `json:"from"`
	To   int `json:"to"`
}

// searchWords answers with the completions of a query at a position in UTF-16 units, which is the
// end by default.
func (i *Inspector) searchWords(w http.ResponseWriter, r *http.Request) {
	text, ok := queryText(w, r)
	if !ok {
		return
	}
	at := offset(text, numberIn(r, "at", len(text)))
	exchanges, _ := i.searched()
	completions := []completion{}
	for _, c := range search.Complete(text, at, exchanges) {
		completions = append(completions, completion{c, units(text, c.From), units(text, c.To)})
	}
	writeJSON(w, http.StatusOK, completions)
}

// units returns the UTF-16 units before a byte offset.
func units(text string, offset int) (n int) {
	for _, r := range text[:offset] {
		n += utf16.RuneLen(r)
	}
	return n
}

// offset returns the byte offset of a number of UTF-16 units.
func offset(text string, units int) int {
	for at, r := range text {
		if units <= 0 {
			return at
		}
		units -= utf16.RuneLen(r)
	}
	return len(text)
}
