package peers_test

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table into docs/streams.md")

const page = "../../docs/streams.md"

// TestTheTableOfClientsIsTrue lets each client read each body, and compares what it made of them
// with the page.
func TestTheTableOfClientsIsTrue(t *testing.T) {
	t.Parallel()
	cells := readAll(t)
	for i, row := range cells {
		if row[0] != right {
			t.Errorf("%s: the client of this project %s", bodies[i].name, row[0])
		}
	}
	before, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	after := replaceTable(t, string(before), table(cells))
	if *update {
		if err := os.WriteFile(page, []byte(after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(before), after); d != "" {
		t.Errorf("docs/streams.md is stale; write it with: go test -run Table -update\n(- page, + now)\n%s",
			d)
	}
}

// readAll returns what each client makes of each body, by rows.
func readAll(t *testing.T) [][]string {
	t.Helper()
	cells := make([][]string, len(bodies))
	var wait sync.WaitGroup
	for i, b := range bodies {
		cells[i] = make([]string, len(sdks))
		for j, s := range sdks {
			wait.Go(func() { cells[i][j] = s.verdict(t.Context(), b) })
		}
	}
	wait.Wait()
	return cells
}

const right = "right"

// verdict returns the outcome of a body in a client, whole and byte by byte.
func (s sdk) verdict(ctx context.Context, b body) string {
	text := b.write(s.format)
	if text == "" && b.name != "empty body" {
		return "–"
	}
	for _, pieces := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader} {
		if verdict := s.read(ctx, b, pieces(strings.NewReader(text))); verdict != right {
			return verdict
		}
		if len(text) > 1<<20 {
			break
		}
	}
	return right
}

// read lets a client read a body once.
func (s sdk) read(ctx context.Context, b body, bytes io.Reader) (verdict string) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if b.cut {
		bytes = io.MultiReader(bytes, iotest.ErrReader(errConnection))
	}
	defer func() {
		if recover() != nil {
			verdict = "**panics**"
		}
	}()
	var got outcome
	err := s.ask(ctx, &http.Client{Transport: sending{bytes, b.contentType}}, &got)
	return b.judge(&got, err)
}

var errConnection = errors.New("connection reset by peer")

// judge says what is wrong with an outcome.
func (b body) judge(got *outcome, err error) string {
	lost := got.text.String() != b.text
	switch b.end {
	case answered:
		switch {
		case err != nil:
			return "error"
		case lost:
			return "text lost"
		case got.headless:
			return "beginning lost"
		case !got.ended:
			return "end lost"
		}
	case refused, broken:
		switch {
		case err == nil:
			return "no error"
		case b.end == refused && !strings.Contains(err.Error(), complaint):
			return "another error"
		case lost:
			return "text lost"
		}
	case unharmed:
	}
	return right
}

// sending is a transport that answers with a stream.
type sending struct {
	body        io.Reader
	contentType string
}

func (s sending) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	reply := response(s.body)
	reply.Request = r
	if s.contentType != "" {
		reply.Header.Set("Content-Type", s.contentType)
	}
	return reply, nil
}

// table writes the cells in Markdown.
func table(cells [][]string) string {
	var b bytes.Buffer
	b.WriteString("| what the server sends | the program has to get |")
	for _, s := range sdks {
		b.WriteString(" " + s.title() + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(sdks)) + "\n")
	for i, row := range cells {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", bodies[i].name, endWords[bodies[i].end],
			strings.Join(row, " | "))
	}
	b.WriteString("| **wrong** | |")
	for j := range sdks {
		fmt.Fprintf(&b, " %s |", wrong(cells, j))
	}
	b.WriteString("\n")
	return b.String()
}

// wrong counts the rows that a client gets wrong, of those that its API has.
func wrong(cells [][]string, column int) string {
	failed, of := 0, 0
	for _, row := range cells {
		if row[column] == "–" {
			continue
		}
		of++
		if row[column] != right {
			failed++
		}
	}
	return fmt.Sprintf("%d of %d", failed, of)
}

// title is the client's name and its version in this module.
func (s sdk) title() string {
	for line := range strings.Lines(modules) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == s.module {
			return s.name + " " + strings.TrimPrefix(words[1], "v")
		}
	}
	return s.name
}

//go:embed go.mod
var modules string

const (
	tableBegins = "<!-- table: made by test/peers -->\n"
	tableEnds   = "<!-- end of the table -->\n"
)

func replaceTable(t *testing.T, page, table string) string {
	t.Helper()
	before, rest, found := strings.Cut(page, tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !found || !ends {
		t.Fatal("docs/streams.md has no place for the table")
	}
	return before + tableBegins + table + tableEnds + after
}
