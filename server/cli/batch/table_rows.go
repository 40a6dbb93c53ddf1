package batch

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/answercheck"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/cli/process"
)

// inputRows are the rows of an input: the columns of its table, or only the ids of its requests.
type inputRows struct {
	lines   func() (line.Line, error, bool)
	rows    *line.Rows // nil for an input without a table
	columns []string
	hasID   bool // the columns have the ids of the requests
	first   *inputRow
}

// inputRow is a row with its request.
type inputRow struct {
	line   line.Line
	values []string
}

// tableOfInput returns a writer that adds answers to the rows of an input, and its header.
func (o output) tableOfInput(ctx context.Context, in *input) (t *tableWriter, header []string,
	stop func(), err error) {
	content := func() io.Reader {
		return process.NewReader(ctx, io.NewSectionReader(in.file, 0, in.size))
	}
	reader, err := in.reader(content())
	if err != nil {
		return nil, nil, nil, err
	}
	rows := &inputRows{}
	rows.lines, stop = iter.Pull2(reader.Lines())
	if in.template != nil {
		if rows.columns, err = columnsOf(content()); err != nil {
			stop()
			return nil, nil, nil, err
		}
		rows.rows = line.NewRows(content())
	}
	if rows.first, err = rows.read(); err != nil {
		stop()
		return nil, nil, nil, err
	}
	header = slices.Clone(rows.columns)
	if rows.hasID = rows.findsID(); !rows.hasID {
		name := columnID
		if slices.Contains(header, columnID) {
			name = columnOther
		}
		header = append(header, name)
	}
	t = &tableWriter{rows: rows, isNew: true}
	return t, t.place(header, answercheck.Members(&rows.first.line)), stop, nil
}

// columnsOf returns the names of all columns of a table, in the order of their first rows.
func columnsOf(content io.Reader) (columns []string, err error) {
	known := map[string]bool{}
	for rows := line.NewRows(content); ; {
		names, _, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return columns, nil
		}
		if err != nil {
			return nil, err
		}
		if slices.Equal(names, columns) {
			continue
		}
		if len(columns) == 0 { // of a table, in which several columns may have no name
			columns = append(columns, names...)
		}
		for _, name := range columns {
			known[name] = true
		}
		for _, name := range names {
			if !known[name] {
				known[name] = true
				columns = append(columns, name)
			}
		}
	}
}

// findsID reports whether a column has the ids.
func (r *inputRows) findsID() bool {
	name := columnID
	if !slices.Contains(r.columns, columnID) {
		name = columnKey
	}
	place := slices.Index(r.columns, name)
	return place >= 0 && r.first.values[place] == r.first.line.CustomID
}

// read reads a row.
func (r *inputRows) read() (*inputRow, error) {
	l, err, more := r.lines()
	if !more {
		return nil, io.EOF
	}
	if err != nil || r.rows == nil {
		return &inputRow{line: l}, err
	}
	names, fields, err := r.rows.Next()
	if err != nil {
		return nil, err
	}
	if slices.Equal(names, r.columns) {
		return &inputRow{l, slices.Clone(fields)}, nil
	}
	values := make([]string, len(r.columns))
	for i, name := range names {
		values[slices.Index(r.columns, name)] = fields[i]
	}
	return &inputRow{l, values}, nil
}

// next implements [rowSource].
func (r *inputRows) next() (id string, values []string, err error) {
	row := r.first
	if r.first = nil; row == nil {
		if row, err = r.read(); err != nil {
			return "", nil, err
		}
	}
	values = row.values
	if !r.hasID {
		values = append(values, row.line.CustomID)
	}
	return row.line.CustomID, values, nil
}

// fileRows are the rows of an existing table of answers.
type fileRows struct {
	in *csv.Reader
	id int // place of the column of the ids
}

// next implements [rowSource].
func (r *fileRows) next() (id string, values []string, err error) {
	values, err = r.in.Read()
	if err != nil {
		return "", nil, err
	}
	return values[r.id], values, nil
}

// tableOfFile returns a writer that replaces the answers of an existing table, and its header.
func (o output) tableOfFile(ctx context.Context, service *bulk.Service, of family,
	existing io.Reader) (*tableWriter, []string, error) {
	rows := &fileRows{in: csv.NewReader(process.NewReader(ctx, existing)), id: -1}
	rows.in.Comma = o.comma()
	header, err := rows.in.Read()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range []string{columnOther, columnID, columnKey} {
		if rows.id < 0 {
			rows.id = slices.Index(header, name)
		}
	}
	if rows.id < 0 {
		return nil, nil, fmt.Errorf("%w: it has no column %q", errOtherTable, columnID)
	}
	members, err := failedMembers(ctx, service, of[0].ID)
	if err != nil {
		return nil, nil, err
	}
	t := &tableWriter{rows: rows}
	return t, header, t.find(header, members)
}

// failedMembers returns the members of the answers to the first failed line of a job.
func failedMembers(ctx context.Context, service *bulk.Service, job string) ([]string, error) {
	for l, err := range service.FailedLines(ctx, job) {
		if err != nil {
			return nil, err
		}
		return answercheck.Members(&l.Line), nil
	}
	return nil, nil
}
