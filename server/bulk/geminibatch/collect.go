package geminibatch

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// collect makes results of what a batch has answered. What it has not is asked live.
//
// The file of results is read twice: for its keys, of which one that is there twice is the answer
// to nobody knows what, and then for its answers, a line at a time. All of them may be gigabytes.
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

// largestOutput is the largest file that Gemini takes, and more than it makes of a range.
const largestOutput = 2 << 30

// readResults has each line of a file of results taken. A file that is gone has none.
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

// isGone reports whether an error says that there is no such batch or file any more. Google deletes
// files after two days.
func isGone(err error) bool {
	reported, ok := errors.AsType[*gemini.Error](err)
	return ok && reported.Category() == gemini.CategoryNotFound
}

// collector makes results of answers as they come.
type collector struct {
	run *run
	// lines are those without a result, by their numbers.
	lines map[int]*line.Line
	// coming counts how many answers are still to come to a line.
	coming map[int]int
	// held are the answers to lines of which not all have come.
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

// convert takes a line of the file, and makes the result of the line that it belongs to, if it is
// the last of its answers.
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
