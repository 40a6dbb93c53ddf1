package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/pflag"
)

// part selects some of the lines of an input.
type part struct {
	limit  int // the first lines, 0 for all
	sample int // a number of lines, 0 for all
}

func (p *part) addFlags(flags *pflag.FlagSet) {
	flags.IntVar(&p.limit, "limit", 0, "use only the first `N` lines, to try a job")
	flags.IntVar(&p.sample, "sample", 0, "use only `N` lines, always the same, to try a job")
}

var errPart = usageError{errors.New("--limit and --sample take a number above 0, and only one of them")}

func (p *part) check() error {
	if p.limit < 0 || p.sample < 0 || p.limit > 0 && p.sample > 0 {
		return errPart
	}
	return nil
}

// standardInput is the path of standard input.
const standardInput = "-"

// spool returns a temporary file with the lines of an input that cannot be read twice as it is:
// standard input, a compressed file, or a part of a file. The system removes it when it is closed.
func (in *input) spool(ctx context.Context, from io.Reader) (*os.File, int64, error) {
	file, err := os.CreateTemp("", "gemwire-*.tmp")
	if err != nil {
		return nil, 0, err
	}
	size, err := in.fill(ctx, file, from)
	if err = errors.Join(err, os.Remove(file.Name())); err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, size, nil
}

// fill writes the lines to the file.
func (in *input) fill(ctx context.Context, file *os.File, from io.Reader) (int64, error) {
	buffered := bufio.NewReader(process.NewReader(ctx, from))
	var content io.Reader = buffered
	if start, _ := buffered.Peek(2); bytes.Equal(start, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return 0, err
		}
		content = unzipped
	}
	size, err := io.Copy(file, content)
	if err != nil || in.part == (part{}) {
		return size, err
	}
	return in.part.cut(file)
}

// record is the place of a line, or of a row of a table, in a file.
type record struct {
	start, end int64
	rank       uint64 // of samples
}

// cut reduces a file to the selected lines.
func (p *part) cut(file *os.File) (int64, error) {
	records, header, err := records(file)
	if err != nil {
		return 0, err
	}
	if p.limit > 0 {
		records = records[:min(p.limit, len(records))]
	} else {
		slices.SortFunc(records, func(a, b record) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.start, b.start))
		})
		records = records[:min(p.sample, len(records))]
		slices.SortFunc(records, func(a, b record) int { return cmp.Compare(a.start, b.start) })
	}
	size := header
	var data []byte
	for _, r := range records { // to the front, so that nothing is overwritten before it is read
		data = slices.Grow(data[:0], int(r.end-r.start))[:r.end-r.start]
		if _, err := file.ReadAt(data, r.start); err != nil {
			return 0, err
		}
		if _, err := file.WriteAt(data, size); err != nil {
			return 0, err
		}
		size += int64(len(data))
	}
	return size, file.Truncate(size)
}

// records returns the lines of a file of JSON, or the rows of a table and the size of its header.
func records(file *os.File) (found []record, header int64, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, 0, err
	}
	in := bufio.NewReader(file)
	start, _ := in.Peek(1)
	isTable := len(start) > 0 && start[0] != '{' && start[0] != '['
	next := func() ([]byte, error) { return in.ReadBytes('\n') }
	at := int64(0)
	end := func(text []byte) int64 { return at + int64(len(text)) }
	if isTable {
		rows := csv.NewReader(in)
		rows.FieldsPerRecord, rows.LazyQuotes = -1, true
		next = func() ([]byte, error) {
			fields, err := rows.Read()
			return []byte(strings.Join(fields, "\x00")), err
		}
		end = func([]byte) int64 { return rows.InputOffset() }
	}
	for {
		text, err := next()
		if len(bytes.TrimSpace(text)) > 0 {
			sum := fnv.New64a()
			sum.Write(text)
			found = append(found, record{at, end(text), sum.Sum64()})
		}
		at = end(text)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, 0, err
		}
	}
	if isTable && len(found) > 0 {
		return found[1:], found[0].end, nil
	}
	return found, 0, nil
}
