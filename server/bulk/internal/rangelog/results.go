package rangelog

import (
	"context"
	"crypto/rand"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk/internal/blob"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// largeResult is the size above which a result is not stored in the log itself, so that all results
// of a range fit into memory. It is smaller on a server that accepts only short messages.
const largeResult = 64 << 10

// Append adds results. They are on the disk when it returns. It omits lines that have a result
// already.
func (l *Log) Append(ctx context.Context, results []line.Result) error {
	b := batch{log: l}
	for i := range results {
		if err := b.add(ctx, &results[i]); err != nil {
			return err
		}
	}
	return b.flush(ctx)
}

// batch is a group of results that become one entry.
type batch struct {
	log     *Log
	entry   []byte
	results []*line.Result
}

func (b *batch) add(ctx context.Context, r *line.Result) (err error) {
	if b.log.Has(r.Number) {
		return nil
	}
	before, half := len(b.entry), b.log.engine.Results.PieceSize()/2
	if b.entry, err = line.AppendStored(b.entry, r); err != nil {
		return err
	}
	if stored := b.entry[before:]; len(stored) > min(largeResult, half) {
		b.entry = b.entry[:before]
		return b.log.appendLarge(ctx, r, stored)
	}
	b.results = append(b.results, r)
	if len(b.entry) > half {
		return b.flush(ctx)
	}
	return nil
}

func (b *batch) flush(ctx context.Context) error {
	if len(b.results) == 0 {
		return nil
	}
	if err := b.log.append(ctx, &entry{kind: kindResults, data: b.entry}); err != nil {
		return err
	}
	for _, r := range b.results {
		b.log.count(r)
	}
	b.entry, b.results = b.entry[:0], b.results[:0]
	return nil
}

// appendLarge stores a result elsewhere, and its counts in the log. If the worker dies between the
// two, the result is deleted with the job.
func (l *Log) appendLarge(ctx context.Context, r *line.Result, stored []byte) error {
	subject := engine.SubjectLarge + l.job + "." + strconv.Itoa(l.number) + "." + rand.Text()
	body := blob.NewWriter(l.engine.Results, subject)
	if err := body.Write(ctx, stored); err != nil {
		return err
	}
	if err := body.Close(ctx); err != nil {
		return err
	}
	head := line.Result{Number: r.Number, Usage: r.Usage, Attempts: r.Attempts,
		Error: r.Error}
	if r.Response != nil {
		head.Response = &line.Response{Status: r.Response.Status, Body: jsontext.Value("null")}
	}
	data, err := line.AppendStored(nil, &head)
	if err != nil {
		return err
	}
	if err := l.append(ctx, &entry{kind: kindLarge, large: subject, data: data}); err != nil {
		return err
	}
	l.count(&head)
	return nil
}
