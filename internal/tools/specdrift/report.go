package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
)

// printReport writes a report: a section for each kind of difference that there is, and the line that sums
// it up.
func printReport(w io.Writer, r *drift.Report) error {
	var b bytes.Buffer
	section(&b, "missing", r.Missing)
	section(&b, "only ours", r.OnlyOurs)
	section(&b, "notes", r.Notes)
	fmt.Fprintf(&b, "%d missing, %d only ours\n", len(r.Missing), len(r.OnlyOurs))
	_, err := w.Write(b.Bytes())
	return err
}

func section[T fmt.Stringer](b *bytes.Buffer, title string, lines []T) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	for _, line := range lines {
		fmt.Fprintf(b, "  %s\n", line)
	}
	fmt.Fprintln(b)
}
