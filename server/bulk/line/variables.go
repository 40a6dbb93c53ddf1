package line

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// row has the variables of one line.
type row struct {
	number int
	values map[string]string
	// names and fields are the columns in their order. They are valid until the next row.
	names, fields []string
	// problem is why there are no values, or nil.
	problem *Problem
}

func (r *row) value(name string) (text string, isThere bool) {
	text, isThere = r.values[name]
	return text, isThere
}

// rows reads a file of variables: JSON objects if it begins with a brace, and otherwise CSV.
type rows struct {
	in      *bufio.Reader
	most    int
	objects *scanner
	table   *table
}

func (s *rows) read() int64 {
	switch {
	case s.objects != nil:
		return s.objects.read()
	case s.table != nil:
		return s.table.csv.InputOffset()
	}
	return 0
}

// next returns the next row, and [io.EOF] after the last.
func (s *rows) next() (row, error) {
	if s.objects == nil && s.table == nil {
		s.open()
	}
	if s.table != nil {
		return s.table.next()
	}
	raw, err := s.objects.next()
	if err != nil {
		return row{}, err
	}
	if raw.problem != nil {
		return row{number: raw.number, problem: raw.problem}, nil
	}
	return rowOf(raw), nil
}

// open detects the format of the file.
func (s *rows) open() {
	start, _ := s.in.Peek(scanSize)
	start = bytes.TrimSpace(bytes.TrimPrefix(start, []byte(markUTF8)))
	if len(start) == 0 || start[0] == '{' || bytes.HasPrefix(start, []byte(markGzip)) ||
		bytes.HasPrefix(start, []byte(markLow)) || bytes.HasPrefix(start, []byte(markHigh)) {
		s.objects = newScanner(s.in, s.most)
		return
	}
	s.table = newTable(s.in, s.most)
}

// rowOf reads an object.
func rowOf(raw rawLine) row {
	var members map[string]jsontext.Value
	err := codec.CheckRoot(payloadLine, raw.data)
	if err == nil {
		if err = json.Unmarshal(raw.data, &members, asItCame); err != nil {
			err = codec.NewMalformedError(payloadLine, raw.data, err)
		}
	}
	if err != nil {
		p := problemOf(CodeInvalidJSON, "", err)
		return row{number: raw.number, problem: &p}
	}
	r := row{number: raw.number, values: make(map[string]string, len(members))}
	for name, value := range jsonx.Members(raw.data) {
		text := textOf(value)
		r.values[name] = text
		r.names, r.fields = append(r.names, name), append(r.fields, text)
	}
	return r
}

// textOf returns the text for a value.
func textOf(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindNull:
		return ""
	case jsontext.KindString:
		// it returns an error only for half a surrogate pair
		text, _ := jsontext.AppendUnquote(nil, value)
		return string(text)
	default:
		return string(value)
	}
}

// table reads CSV.
type table struct {
	csv   *csv.Reader
	limit *recordLimit
	names []string
	line  int // of the last record
}

func newTable(in *bufio.Reader, most int) *table {
	if mark, _ := in.Peek(len(markUTF8)); string(mark) == markUTF8 {
		in.Discard(len(markUTF8))
	}
	limit := &recordLimit{in: in, most: int64(most)}
	t := &table{csv: csv.NewReader(limit), limit: limit}
	t.csv.ReuseRecord = true
	t.csv.Comma = separatorOf(in)
	return t
}

// separatorOf returns the separator in the first row, because spreadsheets use a separator that
// depends on the country.
func separatorOf(in *bufio.Reader) rune {
	start, _ := in.Peek(in.Size())
	first, _, _ := bytes.Cut(start, []byte("\n"))
	for _, separator := range ",;\t" {
		if bytes.ContainsRune(first, separator) {
			return separator
		}
	}
	return ','
}

// next returns the next row.
func (t *table) next() (row, error) {
	switch {
	case t.names != nil && len(t.names) == 0:
		// the first row is invalid, so the columns of the other rows have no names
		return row{}, io.EOF
	case t.names != nil:
		return t.record()
	}
	first, err := t.record()
	if err != nil {
		return first, err
	}
	if first.problem == nil {
		first.problem = t.checkNames()
	}
	if first.problem != nil {
		t.names = []string{}
		return first, nil
	}
	return t.record()
}

// checkNames refuses two columns with the same name.
func (t *table) checkNames() *Problem {
	seen := make(map[string]bool, len(t.names))
	for _, name := range t.names {
		if seen[name] && name != "" { // columns without a name are in no template
			return &Problem{Code: CodeInvalidValue,
				Message: fmt.Sprintf("two columns have the name %q", name)}
		}
		seen[name] = true
	}
	return nil
}

// record reads a record. The first record has the names.
func (t *table) record() (row, error) {
	t.limit.allow(t.csv.InputOffset())
	fields, err := t.csv.Read()
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, errLongRecord):
		t.limit.isOver = true
		return row{number: t.line + 1, problem: tooLong(int(t.limit.most))}, nil
	case errors.As(err, &wrong):
		t.line = wrong.Line
		return row{number: wrong.StartLine,
			problem: &Problem{Code: CodeInvalidValue, Message: wordsOf(wrong)}}, nil
	case errors.Is(err, io.EOF):
		return row{}, io.EOF
	case err != nil:
		return row{}, fmt.Errorf("line: %w", err)
	}
	t.line, _ = t.csv.FieldPos(0)
	r := row{number: t.line}
	if t.names == nil {
		t.names = append([]string{}, fields...)
		return r, nil
	}
	r.names, r.fields = t.names, fields
	r.values = make(map[string]string, len(fields))
	for i, name := range t.names {
		r.values[name] = fields[i]
	}
	return r, nil
}

// wordsOf describes what is wrong with a record.
func wordsOf(wrong *csv.ParseError) string {
	if errors.Is(wrong.Err, csv.ErrFieldCount) {
		return "has another number of values than the first row has names"
	}
	return "is not valid CSV: " + wrong.Err.Error()
}

// errLongRecord reports a record that is too long to be read.
var errLongRecord = errors.New("line: the record is too long")

// recordLimit ends a CSV record that would otherwise be held completely, for example one with an
// unclosed quote.
type recordLimit struct {
	in     io.Reader
	most   int64
	read   int64
	limit  int64
	isOver bool
}

// allow permits a record that begins at an offset to be read. A buffer reads ahead.
func (l *recordLimit) allow(offset int64) { l.limit = offset + l.most + scanSize }

// Read implements [io.Reader].
func (l *recordLimit) Read(p []byte) (int, error) {
	if l.isOver {
		return 0, io.EOF
	}
	if l.read >= l.limit {
		return 0, errLongRecord
	}
	n, err := l.in.Read(p)
	l.read += int64(n)
	return n, err
}
