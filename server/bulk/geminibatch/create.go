package geminibatch

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/gateway"
)

// create creates the batch of a range. Lines that the gateway refuses get their results now.
func (r *run) create(ctx context.Context) error {
	if !r.note.Creating.IsZero() {
		if err := r.find(ctx); err != nil || r.note.Batch != "" {
			return err
		}
	}
	requests, err := r.requests(ctx)
	if err != nil {
		return err
	}
	if len(requests.live) > 0 || len(requests.lines) == 0 {
		return r.askLive(ctx, requests.live)
	}
	if r.isStopping() {
		return &bulk.LaterError{Reason: "the worker is stopping"}
	}
	if err := r.admit(ctx); err != nil {
		return err
	}
	if err := r.reserve(ctx); err != nil {
		return err
	}
	r.note.Creating = time.Now()
	if err := r.keep(ctx); err != nil {
		return err
	}
	return r.send(ctx, requests)
}

// foundTime is how long a new batch may be missing from the list of batches.
const foundTime = 2 * time.Minute

// find looks for a batch of the range that was created without recording its name.
func (r *run) find(ctx context.Context) error {
	for found, err := range r.client.Batches.List(ctx) {
		if err != nil {
			return waitAfter(ctx, err)
		}
		about := jsonx.Deref(found.Metadata)
		if jsonx.Deref(about.DisplayName) == r.displayName() {
			return r.created(ctx, jsonx.Deref(found.Name))
		}
	}
	if left := foundTime - time.Since(r.note.Creating); left > 0 {
		return &bulk.LaterError{After: min(left, failureRest),
			Reason: "it is not known yet whether the batch was created"}
	}
	return nil
}

// created records the name of the batch before anything else.
func (r *run) created(ctx context.Context, name string) error {
	r.note.Batch, r.note.Created, r.note.Creating = name, time.Now(), time.Time{}
	if err := r.keep(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	return r.notYet("the batch was created")
}

// namePrefix is the prefix of display names of batches.
const namePrefix = "gemwire "

// displayName returns the name by which the batch of a range is found again.
func (r *run) displayName() string {
	name := namePrefix + r.item.Job.ID + "/" + strconv.Itoa(r.item.Range) + "/" +
		strconv.Itoa(r.note.Tries)
	if r.model != "" {
		name += "/" + r.model
	}
	return name
}

// jobOf returns the job of a batch from its display name.
func jobOf(displayName string) (job string, ok bool) {
	rest, ok := strings.CutPrefix(displayName, namePrefix)
	if !ok {
		return "", false
	}
	job, _, ok = strings.Cut(rest, "/")
	return job, ok
}

// requests are the requests of a range.
type requests struct {
	model  string
	embeds bool // they ask for vectors
	lines  []line.Line
	file   []byte      // a [geminiapi.BatchRequestLine] or [geminiapi.EmbedContentRequestLine] each
	live   []line.Line // the lines of a range that batches do not have
}

// requests converts the lines.
func (r *run) requests(ctx context.Context) (*requests, error) {
	out := &requests{}
	for i := range r.item.Lines {
		l := &r.item.Lines[i]
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		converted, refused, err := r.convertLine(ctx, l)
		switch {
		case err != nil:
			return nil, err
		case refused != nil:
			if err := r.item.Write(ctx, *refused); err != nil {
				return nil, err
			}
		case len(converted.Requests) == 0:
			out.live = append(out.live, *l)
		default:
			out.add(l, converted)
		}
	}
	return out, nil
}

// add adds the requests of a line.
func (q *requests) add(l *line.Line, converted *gateway.Converted) {
	q.model, q.embeds, q.lines = converted.Model, converted.Embeds, append(q.lines, *l)
	for i, body := range converted.Requests {
		q.file = append(append(append(q.file, `{"key":"`...), keyOf(l, i)...), `","request":`...)
		compact := body.Clone()
		if compact.Compact() == nil {
			body = compact
		}
		q.file = append(append(q.file, body...), "}\n"...)
	}
}

// send submits the requests.
func (r *run) send(ctx context.Context, q *requests) error {
	file, err := r.client.Files.Upload(ctx, bytes.NewReader(q.file), &geminiapi.File{
		DisplayName: new(r.displayName()), MIMEType: new("application/jsonl"),
	})
	if err != nil {
		return r.notCreated(ctx, err)
	}
	r.note.File = jsonx.Deref(file.Name)
	name, err := r.createBatch(ctx, q, file)
	if err == nil {
		return r.created(ctx, name)
	}
	reported, isReported := errors.AsType[*gemini.Error](err)
	switch {
	case !isReported || reported.HTTPStatus >= http.StatusInternalServerError:
		// The batch may have been created.
		return waitAfter(ctx, err)
	case reported.Category() == gemini.CategoryInvalidArg,
		reported.Category() == gemini.CategoryNotFound:
		return r.askLive(ctx, q.lines) // a live call reports the error of each line
	default:
		return r.notCreated(ctx, err)
	}
}

// createBatch creates the batch of a file in one attempt, because two attempts could make two
// batches.
func (r *run) createBatch(ctx context.Context, q *requests, file *geminiapi.File) (name string,
	err error) {
	if q.embeds {
		made, err := r.client.Batches.CreateEmbeddings(ctx, &geminiapi.EmbedContentBatch{
			Model: &q.model, DisplayName: new(r.displayName()),
			InputConfig: &geminiapi.EmbedContentInputConfig{FileName: file.Name},
		}, gemini.WithMaxAttempts(1))
		if err != nil {
			return "", err
		}
		return jsonx.Deref(made.Name), nil
	}
	made, err := r.client.Batches.Create(ctx, &geminiapi.GenerateContentBatch{
		Model: &q.model, DisplayName: new(r.displayName()),
		InputConfig: &geminiapi.BatchInputConfig{FileName: file.Name},
	}, gemini.WithMaxAttempts(1))
	if err != nil {
		return "", err
	}
	return jsonx.Deref(made.Name), nil
}

// notCreated records that there is no batch.
func (r *run) notCreated(ctx context.Context, err error) error {
	r.release()
	r.note.Creating, r.note.File = time.Time{}, ""
	if err := r.keep(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	return waitAfter(ctx, err)
}
