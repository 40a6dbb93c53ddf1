package line

import (
	"bufio"
	"io"
)

// Rows reads the rows of a file of variables: CSV, or one JSON object on each line. [NewRows] makes
// it. It is not safe for concurrent use.
type Rows struct{ rows rows }

// NewRows returns a reader of rows. Its rows are those that [NewTemplateReader] makes lines from.
func NewRows(variables io.Reader, opts ...Option) *Rows {
	return &Rows{rows{in: bufio.NewReaderSize(variables, scanSize),
		most: newSettings(opts).maxLineBytes}}
}

// Next returns the names and the values of the columns of the next row, in their order. They are
// valid until the next call. Rows of objects may have different columns. After the last row the
// error is [io.EOF]. An invalid row is an *[InputError].
func (r *Rows) Next() (names, values []string, err error) {
	next, err := r.rows.next()
	switch {
	case err != nil:
		return nil, nil, err
	case next.problem != nil:
		next.problem.Line = next.number
		return nil, nil, &InputError{Problems: []Problem{*next.problem}, Total: 1}
	}
	return next.names, next.fields, nil
}
