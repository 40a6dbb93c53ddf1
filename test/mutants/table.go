package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// row has the results of the mutants of one room.
type row struct {
	room      string
	listed    int
	killed    int // timedOut included
	timedOut  int
	notViable int
	survivors []mutant
}

func (r *row) add(m mutant, v verdict) {
	switch v.outcome {
	case killed:
		r.killed++
	case timedOut:
		r.killed++
		r.timedOut++
	case notViable:
		r.notViable++
	case survives:
		r.survivors = append(r.survivors, m)
	}
}

// mutants returns the size of the sample so far.
func (r row) mutants() int { return r.killed + len(r.survivors) }

// enough reports whether the tests killed the percentage least.
func (r row) enough(least int) bool { return r.killed*100 >= least*r.mutants() }

// table is one row for each room.
type table []row

func (t table) write(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nroom\tmutants\tkilled\tby time\tsurvived\tkilled %\tof")
	for _, r := range t {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n",
			r.room, r.mutants(), r.killed, r.timedOut, len(r.survivors), r.killed*100/r.mutants(),
			r.listed)
	}
	w.Flush()
	for _, r := range t {
		for i, m := range r.survivors {
			if i == 0 {
				fmt.Fprintf(out, "\nsurvivors of %s:\n", r.room)
			}
			fmt.Fprintf(out, "  %s\n", m)
		}
	}
}
