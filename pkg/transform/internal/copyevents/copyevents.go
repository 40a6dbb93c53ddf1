// Package copyevents reads a document or a stream of typed events, and writes it again in the same
// API. The command converts an API to itself with it.
package copyevents

import (
	"cmp"
	"io"
	"iter"

	"github.com/gemwire/gemwire/pkg/report"
)

// Reader reads the events of a stream.
type Reader[E any] interface {
	All() iter.Seq2[*E, error]
	CheckEnd() error
	Report() report.Report
	Lost() report.Report
}

// Recoder returns a function for [transform.Document].Recode.
func Recoder[D any](decode func([]byte) (*D, error),
	encode func(*D) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		in, err := decode(data)
		if err != nil {
			return nil, err
		}
		return encode(in)
	}
}

// Copier returns a function for [transform.Document].Copy. The fail function of a writer writes the
// error at the end of the input. It returns false for an error that is not the server's.
func Copier[E any, R Reader[E], O any](
	read func(io.Reader, ...O) R,
	newWriter func(io.Writer) (write func(*E) error, fail func(error) (bool, error)),
) func(io.Writer, io.Reader, bool) (report.Report, error) {
	return func(out io.Writer, in io.Reader, strict bool) (report.Report, error) {
		stream := read(in)
		write, fail := newWriter(out)
		for event, err := range stream.All() {
			if err == nil && strict {
				err = stream.Lost().Strict()
			}
			if err == nil {
				err = write(event)
			} else if isServers, failure := fail(err); isServers {
				return stream.Report(), cmp.Or(failure, stream.CheckEnd())
			}
			if err != nil {
				return stream.Report(), err
			}
		}
		return stream.Report(), stream.CheckEnd()
	}
}
