package cli

import (
	"cmp"
	"io"
	"iter"

	"github.com/gemwire/gemwire/pkg/report"
)

// eventReader reads the events of a stream whose events have types.
type eventReader[E any] interface {
	All() iter.Seq2[*E, error]
	CheckEnd() error
	Report() report.Report
	Lost() report.Report
}

// canonicalEvents makes a converter of a stream of events to itself. fail writes an error that the input ends in; it
// reports false for one that is none of the server's.
func canonicalEvents[E any](read func(io.Reader) eventReader[E], write func(io.Writer) (write func(*E) error, fail func(error) (bool, error))) converter {
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		stream := read(in)
		writeEvent, fail := write(out)
		for event, err := range stream.All() {
			if err == nil && s.strict {
				err = stream.Lost().Strict()
			}
			if err == nil {
				err = writeEvent(event)
			} else if isServers, failure := fail(err); isServers {
				return stream.Report(), s.refuseLosses(stream.Report(), cmp.Or(failure, stream.CheckEnd()))
			}
			if err != nil {
				return stream.Report(), err
			}
		}
		err := stream.CheckEnd()
		return stream.Report(), s.refuseLosses(stream.Report(), err)
	}
}
