package answer

import (
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
)

// Append appends a whole answer of a form, and passes on the report and the error of its
// conversion. add adds the members of a server.
func Append[A any](
	dst []byte, converted *A, entries report.Report, err error, o *transform.Options,
	add func(*A, transform.Added), appendTo func([]byte, *A) ([]byte, error),
) ([]byte, report.Report, error) {
	if err != nil {
		return dst, entries, err
	}
	added, err := o.AddedBy(entries)
	if err != nil {
		return dst, entries, err
	}
	add(converted, added)
	o.Edit(converted)
	dst, err = appendTo(dst, converted)
	return dst, entries, err
}

// PushStrict converts a chunk. If the options are strict, it returns a loss as an error, without
// events.
func PushStrict[C, T any](s interface {
	Stream[C, T]
	Lost() report.Report
}, chunk C, o *transform.Options) ([]T, error) {
	events, err := s.Push(chunk)
	if err == nil && o.Strict {
		if refused := s.Lost().Strict(); refused != nil {
			return nil, refused
		}
	}
	return events, err
}

// AppendEvents appends events to the body of a stream. failure is the error that came with the
// events. It is returned unless an event cannot be written.
func AppendEvents[T any](
	dst []byte, events []T, failure error, o *transform.Options,
	appendTo func([]byte, *T) ([]byte, error),
) ([]byte, error) {
	for i := range events {
		o.Edit(&events[i])
		next, err := appendTo(dst, &events[i])
		if err != nil {
			return dst, err
		}
		dst = next
	}
	return dst, failure
}
