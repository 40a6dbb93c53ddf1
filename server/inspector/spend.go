package inspector

import (
	"context"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	usage "github.com/gemwire/gemwire/server/usage/row"
)

// Spend provides what the clients of a gateway used and spent, such as a [usage.Book]. It must be
// safe for concurrent use.
type Spend interface {
	// Rows returns the rows of the days from one to another, both included.
	Rows(ctx context.Context, from, until string) ([]usage.Row, error)
	// Losses returns the processes that were killed since a time.
	Losses(ctx context.Context, since time.Time) ([]usage.Loss, error)
}

// WithSpend shows what clients used and spent.
func WithSpend(spend Spend) Option { return func(s *settings) { s.spend = spend } }

const (
	// mostDays is the longest time that the page shows, and usualDays the time without days=.
	mostDays, usualDays = 400, 31
	// spendTime is the time limit of reading the usage.
	spendTime = 20 * time.Second
)

// spendAnswer is the usage in the page's format.
type spendAnswer struct {
	// Shown reports whether there is usage at all. Today is the current day in UTC.
	Shown  bool       `json:"shown"`
	Today  string     `json:"today"`
	Rows   []spendRow `json:"rows"`
	Killed int        `json:"killed"`
	// UpTo is how many requests the killed processes may have lost.
	UpTo int64 `json:"upTo"`
}

// spendRow is what the requests of a day, a key and a model used.
type spendRow struct {
	Day            string  `json:"day"`
	Client         string  `json:"client"`
	Model          string  `json:"model"`
	Currency       string  `json:"currency"`
	Unpriced       string  `json:"unpriced"`
	Requests       int64   `json:"requests"`
	Failures       int64   `json:"failures"`
	Tokens         int64   `json:"tokens"`
	UnpricedTokens int64   `json:"unpricedTokens"`
	Cost           float64 `json:"cost"`
}

// spendOf reads the usage of the days in a query.
func (i *Inspector) spendOf(ctx context.Context, r *http.Request) (rows []usage.Row,
	losses []usage.Loss, err error) {
	days := min(max(numberIn(r, "days", usualDays), 1), mostDays)
	ctx, cancel := context.WithTimeout(ctx, spendTime)
	defer cancel()
	from := i.clock().UTC().AddDate(0, 0, 1-days)
	if rows, err = i.spend.Rows(ctx, usage.DayOf(from), ""); err != nil {
		return nil, nil, err
	}
	losses, err = i.spend.Losses(ctx, from.Truncate(24*time.Hour))
	return rows, losses, err
}

// spendList answers with the usage of the last days.
func (i *Inspector) spendList(w http.ResponseWriter, r *http.Request) {
	answer := spendAnswer{Shown: i.spend != nil, Today: usage.DayOf(i.clock()), Rows: []spendRow{}}
	if i.spend == nil {
		writeJSON(w, http.StatusOK, answer)
		return
	}
	rows, losses, err := i.spendOf(r.Context(), r)
	if err != nil {
		refuse(w, http.StatusServiceUnavailable,
			i.retain.value("the usage cannot be read: "+err.Error()))
		return
	}
	for _, row := range usage.Sum(rows, func(k usage.Key) usage.Key {
		return usage.Key{Day: k.Day, Client: k.Client, Model: k.Model, Currency: k.Currency,
			Unpriced: k.Unpriced}
	}) {
		answer.Rows = append(answer.Rows, spendRow{Day: row.Day, Client: i.retain.value(row.Client),
			Model: i.retain.value(row.Model), Currency: row.Currency,
			Unpriced: i.retain.value(row.Unpriced), Requests: row.Requests, Failures: row.Failures,
			Tokens: row.Tokens(), UnpricedTokens: row.UnpricedTokens, Cost: row.Cost.Units()})
	}
	answer.Killed = len(losses)
	for _, loss := range losses {
		answer.UpTo += loss.UpTo
	}
	writeJSON(w, http.StatusOK, answer)
}

// spendFile answers with the usage of the last days as CSV.
func (i *Inspector) spendFile(w http.ResponseWriter, r *http.Request) {
	if i.spend == nil {
		refuse(w, http.StatusNotFound, "usage is not counted")
		return
	}
	rows, _, err := i.spendOf(r.Context(), r)
	if err != nil {
		refuse(w, http.StatusServiceUnavailable,
			i.retain.value("the usage cannot be read: "+err.Error()))
		return
	}
	var text strings.Builder
	out := csv.NewWriter(&text)
	_ = out.Write(spendTitles)
	for n := range rows {
		_ = out.Write(i.spendRecord(&rows[n]))
	}
	out.Flush() // to memory
	download(w, "gemwire-spend.csv", "text/csv; charset=utf-8", []byte(text.String()))
}

// spendTitles are the titles of the columns of spendRecord.
var spendTitles = []string{"day", "key", "model", "service", "tier", "form", "requests", "failures",
	"input_tokens", "cached_tokens", "output_tokens", "thinking_tokens", "cost", "currency",
	"unpriced_tokens", "unpriced"}

// spendRecord returns the cells of a row. A spreadsheet must not run a name as a formula.
func (i *Inspector) spendRecord(row *usage.Row) []string {
	text := func(value string) string {
		value = i.retain.value(value)
		if strings.HasPrefix(value, "=") || strings.HasPrefix(value, "+") ||
			strings.HasPrefix(value, "-") || strings.HasPrefix(value, "@") {
			return "'" + value
		}
		return value
	}
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{row.Day, text(row.Client), text(row.Model), row.Service, text(row.Tier), row.Form,
		whole(row.Requests), whole(row.Failures), whole(row.InputTokens), whole(row.CachedTokens),
		whole(row.OutputTokens), whole(row.ThinkingTokens), row.Cost.String(), row.Currency,
		whole(row.UnpricedTokens), text(row.Unpriced)}
}
