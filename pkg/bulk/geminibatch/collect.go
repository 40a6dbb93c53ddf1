package geminibatch

import (
	"bytes"
	"context"
	"strconv"

	"github.com/gemwire/gemwire/pkg/bulk/line"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// collect makes results of what a batch has answered. What it has not is asked live.
func (r *run) collect(ctx context.Context, file string) error {
	answers := answers{}
	if file != "" {
		out := &lineWriter{take: answers.add}
		if _, err := r.client.Files.Download(ctx, file, out, gemini.WithMaxBodySize(largestOutput)); err != nil {
			return waitAfter(ctx, err)
		}
		out.end()
	}
	var left []line.Line
	for i := range r.item.Lines {
		l := &r.item.Lines[i]
		found := answers[l.Number]
		if found == nil || !found.isUsable() {
			left = append(left, *l)
			continue
		}
		if err := r.convert(ctx, l, found); err != nil {
			return err
		}
	}
	if r.note.File != "" { // which else stays for two days
		_ = r.client.Files.Delete(ctx, r.note.File)
	}
	return r.askLive(ctx, left)
}

// largestOutput is the largest file that Gemini takes, and more than it makes of a range.
const largestOutput = 2 << 30

// answers are what a batch has answered, by the numbers of lines.
type answers map[int]*answer

// answer is that to one request.
type answer struct {
	response jsontext.Value
	failure  jsontext.Value
	code     int // of the failure
	isDouble bool
}

// isUsable reports whether an answer is a result of its line. A key that is there twice is the answer to nobody knows what,
// as keys were seen to be mixed up (github.com/googleapis/python-genai/issues/1909). A failure that may pass, or that is
// about the project, is none of the line.
func (a *answer) isUsable() bool {
	switch {
	case a.isDouble:
		return false
	case a.response != nil:
		return true
	default:
		return refusals[a.code] != 0
	}
}

// add reads a line of the output. One that is no result is passed over: its request is one without a result then.
func (a answers) add(text []byte) {
	var result struct {
		Key      string         `json:"key"`
		Response jsontext.Value `json:"response"`
		Error    jsontext.Value `json:"error"`
	}
	if json.Unmarshal(text, &result) != nil {
		return
	}
	number, err := strconv.Atoi(result.Key)
	if err != nil {
		return
	}
	if before := a[number]; before != nil {
		before.isDouble = true
		return
	}
	found := &answer{}
	if result.Response.Kind() == jsontext.KindBeginObject {
		found.response = result.Response
	} else if result.Error.Kind() == jsontext.KindBeginObject {
		var status struct {
			Code int `json:"code"`
		}
		_ = json.Unmarshal(result.Error, &status) // or the code is 0, of none
		found.failure, found.code = result.Error, status.Code
	}
	a[number] = found
}

// lineWriter divides what is written to it into lines.
type lineWriter struct {
	take func(line []byte)
	rest []byte
}

// Write implements [io.Writer].
func (w *lineWriter) Write(p []byte) (int, error) {
	size := len(p)
	for {
		text, more, isWhole := bytes.Cut(p, []byte("\n"))
		w.rest = append(w.rest, text...)
		if !isWhole {
			return size, nil
		}
		w.end()
		p = more
	}
}

// end takes what is not ended by a newline.
func (w *lineWriter) end() {
	if len(bytes.TrimSpace(w.rest)) > 0 {
		w.take(w.rest)
	}
	w.rest = w.rest[:0]
}
