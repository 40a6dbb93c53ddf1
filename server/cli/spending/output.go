package spending

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/usage"
)

// column is a column of numbers.
type column struct {
	title, name string
	of          func(*usage.Row) string
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// columns are the columns of numbers, in tables and in CSV.
var columns = []column{
	{"REQUESTS", "requests", func(r *usage.Row) string { return whole(r.Requests) }},
	{"FAILED", "failures", func(r *usage.Row) string { return whole(r.Failures) }},
	{"INPUT", "input_tokens", func(r *usage.Row) string { return whole(r.InputTokens) }},
	{"CACHED", "cached_tokens", func(r *usage.Row) string { return whole(r.CachedTokens) }},
	{"OUTPUT", "output_tokens", func(r *usage.Row) string { return whole(r.OutputTokens) }},
	{"THINKING", "thinking_tokens", func(r *usage.Row) string { return whole(r.ThinkingTokens) }},
	{"UNPRICED", "unpriced_tokens", func(r *usage.Row) string { return whole(r.UnpricedTokens) }},
	{"COST", "cost", func(r *usage.Row) string { return r.Cost.String() }},
}

// hasNoCost reports whether a row is about requests without a cost.
func hasNoCost(row *usage.Row) bool { return row.Currency == noCurrency }

// joined adds lines without a cost to the line of the same group, if there is one.
func joined(rows []usage.Row) (out []usage.Row) {
	for i := range rows {
		row := rows[i]
		bare := row.Key
		bare.Currency = ""
		at := slices.IndexFunc(out, func(other usage.Row) bool {
			key := other.Key
			key.Currency = ""
			return key == bare && (hasNoCost(&row) || hasNoCost(&other))
		})
		if at < 0 {
			out = append(out, row)
			continue
		}
		currency := row.Currency
		if hasNoCost(&row) {
			currency = out[at].Currency
		}
		out[at].Add(&row.Counts)
		out[at].Currency = currency
	}
	for i := range out {
		if hasNoCost(&out[i]) {
			out[i].Currency = ""
		}
	}
	return out
}

// writeTable writes lines with the most expensive first, or by day.
func writeTable(out io.Writer, by groups, rows, all []usage.Row) error {
	rows = joined(rows)
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "no usage in these days")
		return err
	}
	if !slices.Contains(by, "day") {
		slices.SortStableFunc(rows, func(a, b usage.Row) int {
			return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.Tokens(), a.Tokens()))
		})
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var titles []string
	for _, name := range by {
		titles = append(titles, strings.ToUpper(name))
	}
	for _, c := range columns {
		titles = append(titles, c.title)
	}
	fmt.Fprintln(table, strings.Join(titles, "\t"))
	for i := range rows {
		var cells []string
		for _, name := range by {
			cells = append(cells, message.Escape(cmp.Or(*member(&rows[i].Key, name), "-")))
		}
		for _, c := range columns {
			cells = append(cells, c.of(&rows[i]))
		}
		cells[len(cells)-1] = strings.TrimSpace(cells[len(cells)-1] + " " + rows[i].Currency)
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return writeUnpriced(out, all)
}

// writeUnpriced says why tokens have no price.
func writeUnpriced(out io.Writer, rows []usage.Row) error {
	reasons := usage.Sum(rows, func(key usage.Key) usage.Key {
		return usage.Key{Unpriced: key.Unpriced}
	})
	for i, row := range slices.DeleteFunc(reasons, func(r usage.Row) bool {
		return r.Unpriced == ""
	}) {
		if i == 0 {
			fmt.Fprintln(out, "\nWithout a price:")
		}
		if _, err := fmt.Fprintf(out, "  %s of %s: %s\n", message.Count(row.UnpricedTokens, "token"),
			message.Count(row.Requests, "request"), message.Escape(row.Unpriced)); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(out io.Writer, by groups, rows []usage.Row) error {
	w := csv.NewWriter(out)
	titles := slices.Clone([]string(by))
	for _, c := range columns {
		titles = append(titles, c.name)
	}
	if err := w.Write(append(titles, "currency")); err != nil {
		return err
	}
	rows = joined(rows)
	for i := range rows {
		var cells []string
		for _, name := range by {
			cells = append(cells, *member(&rows[i].Key, name))
		}
		for _, c := range columns {
			cells = append(cells, c.of(&rows[i]))
		}
		if err := w.Write(append(cells, rows[i].Currency)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func writeJSON(out io.Writer, rows []usage.Row) error {
	return listing.WriteJSON(out, joined(rows))
}
