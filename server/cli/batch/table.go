package batch

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/answercheck"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/go-json-experiment/json/jsontext"
)

// isTable reports whether the answers are written as a table.
func (o output) isTable() bool {
	return slices.Contains(tables, strings.ToLower(filepath.Ext(o.path)))
}

// comma returns the separator of a table.
func (o output) comma() rune {
	if strings.ToLower(filepath.Ext(o.path)) == ".tsv" {
		return '\t'
	}
	return ','
}

// Names of the columns that a table of answers adds to the columns of the input.
const (
	columnID     = "custom_id"
	columnKey    = "key"        // of the id in an input of Gemini's form
	columnOther  = "request_id" // of the id if the input has another custom_id
	columnAnswer = "answer"
	columnError  = "error"
)

// rowSource yields the rows that the answers are added to.
type rowSource interface {
	// next returns the id of a row's request, and the values of the columns of the input. After the
	// last row the error is [io.EOF].
	next() (id string, values []string, err error)
}

// tableWriter writes a table of answers.
type tableWriter struct {
	out     *csv.Writer
	rows    rowSource // nil for a table that has only results
	isNew   bool      // and not the copy of an existing table
	url     string    // of the requests
	form    line.Format
	members []string // of the answers, nil for the whole answer
	answers []int    // places of their columns
	error   int      // place of the column of the error
	width   int
}

// lostResult is the error of a row without a result, because a damaged store has lost it.
const lostResult = "the result is lost"

// take writes the row of a result, and the rows before it, which have none. Nil writes the last
// rows.
func (t *tableWriter) take(r *result) error {
	if t.rows == nil {
		if r == nil {
			return nil
		}
		return t.write(append([]string{r.id}, make([]string, t.width-1)...), r)
	}
	for {
		id, values, err := t.rows.next()
		switch {
		case errors.Is(err, io.EOF) && r == nil:
			return nil
		case errors.Is(err, io.EOF):
			return errOtherTable
		case err != nil:
			return err
		}
		row := append(slices.Clone(values), make([]string, t.width-len(values))...)
		switch {
		case r != nil && id == r.id:
			return t.write(row, r)
		case t.isNew:
			row[t.error] = lostResult
		case row[t.error] != lostResult:
			return errOtherTable
		}
		if err := t.out.Write(row); err != nil {
			return err
		}
	}
}

// errOtherTable is returned if the rows of a table do not belong to the job.
var errOtherTable = errors.New("the rows of the table are not the requests of the job")

// write writes a row with its result.
func (t *tableWriter) write(row []string, r *result) error {
	for _, place := range t.answers {
		row[place] = ""
	}
	row[t.error] = ""
	if r.isFailed {
		row[t.error] = t.errorText(r.line)
		return t.out.Write(row)
	}
	body := memberOf(r.line, "/response/body")
	if t.form == line.Gemini {
		body = memberOf(r.line, "/response")
	}
	text := answercheck.Text(t.url, body)
	if text == "" && t.url == "/v1/embeddings" {
		text = string(memberOf(body, "/data/0/embedding"))
	}
	if t.members == nil {
		row[t.answers[0]] = text
		return t.out.Write(row)
	}
	value := jsontext.Value(strings.TrimSpace(text))
	if !value.IsValid() || value.Kind() != jsontext.KindBeginObject {
		row[t.error] = "the answer is not a JSON object"
	}
	for i, name := range t.members {
		row[t.answers[i]] = cell(memberOf(value, "/"+pointerToken(name)))
	}
	return t.out.Write(row)
}

// errorText describes why a line failed.
func (t *tableWriter) errorText(text []byte) string {
	found := memberOf(text, "/error")
	if len(found) == 0 || found.Kind() == jsontext.KindNull {
		found = memberOf(text, "/response/body/error")
	}
	message, code := cell(memberOf(found, "/message")), cell(memberOf(found, "/code"))
	switch {
	case message == "":
		return strings.TrimSpace("failed " + code)
	case code == "":
		return message
	default:
		return code + ": " + message
	}
}

// memberOf returns the value at a pointer, or nil.
func memberOf(text []byte, pointer string) jsontext.Value {
	start, end := jsonx.Find(text, jsontext.Pointer(pointer))
	if end <= start {
		return nil
	}
	return text[start:end]
}

// cell returns the text of a JSON value in a table.
func cell(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindInvalid, jsontext.KindNull:
		return ""
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return string(value)
		}
		return string(text)
	default:
		return string(value)
	}
}

// writeTable writes the results of a family as a table. It adds them to the rows of the input, or
// if the input is not known to the rows of the existing table.
func (o output) writeTable(ctx context.Context, service *bulk.Service, of family, in *input) error {
	file, err := process.CreateOutput(ctx, o.path)
	if err != nil {
		return &fileError{o.path, err}
	}
	defer file.Discard()
	if err := o.fillTable(ctx, service, of, in, file); err != nil {
		return &fileError{o.path, err}
	}
	if err := file.Commit(); err != nil {
		return &fileError{o.path, err}
	}
	return nil
}

func (o output) fillTable(ctx context.Context, service *bulk.Service, of family, in *input,
	to io.Writer) error {
	t, header, stop, err := o.newTable(ctx, service, of, in)
	if err != nil {
		return err
	}
	defer stop()
	t.url, t.form, t.out = of[0].Endpoint, of[0].Format, csv.NewWriter(to)
	t.out.Comma = o.comma()
	if err := t.out.Write(header); err != nil {
		return err
	}
	if err := of.each(ctx, service, t.take); err != nil {
		return err
	}
	if err := t.take(nil); err != nil {
		return err
	}
	t.out.Flush()
	return t.out.Error()
}

// newTable returns a writer of a table, and its header. A retry does not know the input. It uses
// the rows of an existing table, or makes a table of only its results.
func (o output) newTable(ctx context.Context, service *bulk.Service, of family,
	in *input) (t *tableWriter, header []string, stop func(), err error) {
	if in != nil && in.file != nil {
		return o.tableOfInput(ctx, in)
	}
	existing, err := os.Open(o.path)
	if errors.Is(err, fs.ErrNotExist) {
		t = &tableWriter{}
		members, err := failedMembers(ctx, service, cmp.Or(of[0].RetryOf, of[0].ID))
		return t, t.place([]string{columnID}, members), func() {}, err
	}
	if err != nil {
		return nil, nil, nil, process.WithoutPath(err)
	}
	t, header, err = o.tableOfFile(ctx, service, of, existing)
	if err != nil {
		existing.Close()
		return nil, nil, nil, err
	}
	return t, header, func() { existing.Close() }, nil
}

// checkTable returns [errOtherTable] if a table has other rows than the requests of the family.
func (f family) checkTable(ctx context.Context, service *bulk.Service, path string) error {
	return output{path: path}.fillTable(ctx, service, f, nil, io.Discard)
}

// place adds the columns of the answers to a header.
func (t *tableWriter) place(header []string, members []string) []string {
	t.members = members
	add := func(name string) {
		if slices.Contains(header, name) {
			name = "answer_" + name
		}
		header = append(header, name)
	}
	if members == nil {
		members = []string{columnAnswer}
	}
	for _, name := range members {
		t.answers = append(t.answers, len(header))
		add(name)
	}
	t.error = len(header)
	add(columnError)
	t.width = len(header)
	return header
}

// find finds the columns of the answers in the header of an existing table.
func (t *tableWriter) find(header []string, members []string) error {
	t.members, t.width = members, len(header)
	if members == nil {
		members = []string{columnAnswer}
	}
	for _, name := range append(slices.Clone(members), columnError) {
		place := slices.Index(header, "answer_"+name)
		if place < 0 {
			place = slices.Index(header, name)
		}
		if place < 0 {
			return fmt.Errorf("%w: it has no column %q", errOtherTable, name)
		}
		t.answers = append(t.answers, place)
	}
	last := len(t.answers) - 1
	t.answers, t.error = t.answers[:last], t.answers[last]
	return nil
}

// pointerToken escapes a name for a JSON pointer.
func pointerToken(name string) string {
	return strings.TrimPrefix(string(jsontext.Pointer("").AppendToken(name)), "/")
}
