package geminibatch

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// collect converts the answers of a batch to results. Lines without an answer are called live.
//
// It reads the results file twice. The first pass counts the keys, because answers with a repeated
// key are not usable. The second pass reads the answers, one line at a time, because the file may
// have gigabytes.
func (r *run) collect(ctx context.Context, file string) error {
	c := newCollector(r)
	if file != "" {
		if err := r.readResults(ctx, file, c.count); err != nil {
			return err
		}
		if err := r.readResults(ctx, file,
			func(text []byte) error { return c.convert(ctx, text) }); err != nil {
			return err
		}
	}
	if r.note.File != "" { // which else stays for two days
		_ = r.client.Files.Delete(ctx, r.note.File)
	}
	return r.askLive(ctx, c.left())
}

// largestOutput is the maximum size of a Gemini file. It is more than the results of a range.
const largestOutput = 2 << 30

// readResults calls take for each line of a results file. A deleted file has no lines.
func (r *run) readResults(ctx context.Context, file string, take func(text []byte) error) error {
	out := &lineWriter{take: take}
	_, err := r.client.Files.Download(ctx, file, out, gemini.WithMaxBodySize(largestOutput))
	if err == nil {
		out.end()
	}
	switch {
	case out.err != nil:
		return out.err
	case err != nil && !isGone(err):
		return waitAfter(ctx, err)
	}
	return nil
}

// isGone reports whether an error says that a batch or file no longer exists. Google deletes files
// after two days.
func isGone(err error) bool {
	reported, ok := errors.AsType[*gemini.Error](err)
	return ok && reported.Category() == gemini.CategoryNotFound
}

// collector converts answers to results as they arrive.
type collector struct {
	run *run
	// lines are the lines without a result, by their numbers.
	lines map[int]*line.Line
	// coming is the number of outstanding answers of each line.
	coming map[int]int
	// held are the answers to lines that are incomplete.
	held map[int]answers
}

func newCollector(r *run) *collector {
	c := &collector{
		run: r, lines: make(map[int]*line.Line, len(r.item.Lines)),
		coming: map[int]int{}, held: map[int]answers{},
	}
	for i := range r.item.Lines {
		c.lines[r.item.Lines[i].Number] = &r.item.Lines[i]
	}
	return c
}

// count counts the key of a line of the file.
func (c *collector) count(text []byte) error {
	key, _ := readAnswer(text)
	if number := numberOf(key); c.lines[number] != nil {
		c.coming[number]++
	}
	return nil
}

// convert handles a line of the file. If it completes the answers of an input line, it writes that
// line's result.
func (c *collector) convert(ctx context.Context, text []byte) error {
	key, found := readAnswer(text)
	number := numberOf(key)
	l := c.lines[number]
	if l == nil {
		return nil
	}
	if c.held[number] == nil {
		c.held[number] = answers{}
	}
	if before := c.held[number][key]; before != nil {
		found.others = append(before.others, before.response)
	}
	c.held[number][key] = found
	if c.coming[number]--; c.coming[number] > 0 {
		return nil
	}
	isLeft, err := c.run.convert(ctx, l, c.held[number])
	if err == nil && !isLeft {
		delete(c.lines, number)
	}
	delete(c.held, number)
	return err
}

// left returns the lines without a result, in their order.
func (c *collector) left() (out []line.Line) {
	for i := range c.run.item.Lines {
		if l := &c.run.item.Lines[i]; c.lines[l.Number] != nil {
			out = append(out, *l)
		}
	}
	return out
}
