package measurement

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Table is the result of a measurement, as Markdown.
type Table struct {
	title   string
	columns []string
	rows    [][]string
	// verdicts compare the result with the promises.
	verdicts []string
}

func (t *Table) row(cells ...string) { t.rows = append(t.rows, cells) }

// promise says whether what was measured is as promised.
func (t *Table) promise(holds bool, format string, args ...any) {
	word := "holds: "
	if !holds {
		word = "MISSED: "
	}
	t.verdicts = append(t.verdicts, word+fmt.Sprintf(format, args...))
}

// flaws adds what went wrong on ways that the gateway is compared with.
func (t *Table) flaws(ws *ways) {
	for _, w := range ws.all {
		if w.flawed > 0 {
			t.verdicts = append(t.verdicts,
				fmt.Sprintf("%s failed %d of %d requests: %v", w.name, w.flawed, w.asked, w.reason))
		}
	}
}

func (t *Table) write(out io.Writer) {
	widths := make([]int, len(t.columns))
	for _, row := range append([][]string{t.columns}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
	}
	fmt.Fprintf(out, "\n%s\n\n", t.title)
	for _, row := range append([][]string{t.columns, rule}, t.rows...) {
		for i, cell := range row {
			fmt.Fprintf(out, "| %s%s ", cell, strings.Repeat(" ", widths[i]-len([]rune(cell))))
		}
		fmt.Fprintln(out, "|")
	}
	if len(t.verdicts) > 0 {
		fmt.Fprintln(out)
	}
	for _, verdict := range t.verdicts {
		fmt.Fprintln(out, "- "+verdict)
	}
}

// micros writes a duration.
func micros(d time.Duration) string {
	if d >= 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.0f MB", float64(bytes)/1e6) }

func percent(part, whole float64) string { return fmt.Sprintf("%.0f %%", 100*part/whole) }

// median returns the median of the rounds.
func median[T int64 | float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
