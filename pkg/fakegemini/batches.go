package fakegemini

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/batch"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// BatchGenerateContent accepts requests to be answered later.
func (a *api) BatchGenerateContent(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	a.createBatch(w, r)
}

// BatchGenerateContentByTunedModel is BatchGenerateContent for a tuned model.
func (a *api) BatchGenerateContentByTunedModel(w http.ResponseWriter, r *http.Request,
	_ geminiapi.ModelID) {
	a.createBatch(w, r)
}

func (a *api) createBatch(w http.ResponseWriter, r *http.Request) {
	acceptBatch(a, w, r,
		func(body *geminiapi.BatchGenerateContentRequest) (batch.Job, *refusal.Refusal) {
			input := jsonx.Deref(jsonx.Deref(body.Batch).InputConfig)
			lines, why := a.linesOf(&input)
			if unknown := refusal.UnknownMembers(body.Unknown); unknown != nil {
				why = unknown
			}
			return batch.Job{
				Message: "GenerateContentBatch", DisplayName: jsonx.Deref(body.Batch).DisplayName,
				Lines: lines, FromFile: input.FileName != nil,
			}, why
		})
}

// acceptBatch accepts a batch and answers with its operation. read returns the requests in the
// body.
func acceptBatch[T any, P codec.Type[T]](
	a *api, w http.ResponseWriter, r *http.Request,
	read func(body *T) (batch.Job, *refusal.Refusal),
) {
	request := received.From(r)
	if why := a.checkModel(request); why != nil {
		refuse(w, r, why)
		return
	}
	var job batch.Job
	body, why := bodyOf[T, P](request)
	if why == nil {
		job, why = read(body)
	}
	if why != nil {
		refuse(w, r, why)
		return
	}
	job.Trouble = a.settings.troubles.next()
	job.ID, job.Model, job.Duration = a.batches.NewID(36), request.Resource, a.settings.batchTime
	job.Run = func(ctx context.Context,
		line batch.Line) batch.Result {
		return a.runLine(ctx, r, line)
	}
	job.Keep = func(lines []byte) string {
		return "files/" + a.files.AddGenerated("batch-"+job.ID, "application/jsonl", lines).ID
	}
	made, status := batch.New(job)
	a.batches.Put("batches/"+job.ID, made, time.Time{})
	writeResource(w, made.Operation(status))
}

// maxLines is the maximum number of requests in a batch.
const maxLines = 10_000

// linesOf returns the requests of a batch, from its body or from a file.
func (a *api) linesOf(input *geminiapi.BatchInputConfig) ([]batch.Line, *refusal.Refusal) {
	requests := jsonx.Deref(input.Requests).Requests
	if input.FileName != nil {
		return a.linesIn(*input.FileName, lineOf)
	}
	if len(requests) == 0 || len(requests) > maxLines {
		return nil, refusal.InvalidArgument()
	}
	lines := make([]batch.Line, len(requests))
	for i, request := range requests {
		lines[i] = batch.Line{Metadata: request.Metadata, Request: encoded(request.Request)}
	}
	return lines, nil
}

// linesIn reads a file with one object per line. A line for which read returns an error holds no
// request.
func (a *api) linesIn(name string, read func(text []byte) (batch.Line, error)) ([]batch.Line,
	*refusal.Refusal) {
	id := strings.TrimPrefix(name, "files/")
	file, ok := a.files.Get(id)
	if !ok {
		return nil, refusal.NoSuchFile(id)
	}
	var lines []batch.Line
	for text := range bytes.Lines(file.Content) {
		if text = bytes.TrimSpace(text); len(text) == 0 || len(lines) == maxLines {
			continue
		}
		line, err := read(text)
		if err != nil {
			line = batch.Line{}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func lineOf(text []byte) (batch.Line, error) {
	line, err := gemini.Decode[geminiapi.BatchRequestLine](text)
	if err != nil {
		return batch.Line{}, err
	}
	return batch.Line{Key: jsonx.Deref(line.Key), Request: encoded(line.Request)}, nil
}

// encoded returns a request as JSON, or nil for no request.
func encoded[T any, P codec.Type[T]](request *T) jsontext.Value {
	if request == nil {
		return nil
	}
	body, err := gemini.Encode[T, P](request)
	if err != nil {
		return nil // Decoded values can be encoded.
	}
	return body
}

// methodsOfOne are the methods for single requests that a batch replaces.
var methodsOfOne = map[string]string{"batchGenerateContent": "generateContent",
	"asyncBatchEmbedContent": "embedContent"}

// runLine answers a request of a batch like a single request from the caller of the batch. The
// script answers it if a fixture matches.
func (a *api) runLine(ctx context.Context, r *http.Request, line batch.Line) batch.Result {
	if line.Request == nil {
		return batch.Result{Error: statusOf(refusal.InvalidArgument())}
	}
	address := *r.URL
	resource, method, _ := strings.Cut(address.Path, ":")
	address.Path, address.RawPath = resource+":"+methodsOfOne[method], ""
	// without the values that the router keeps in a context
	fresh, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	single := r.WithContext(fresh)
	single.URL, single.Body = &address, io.NopCloser(bytes.NewReader(line.Request))
	read, _, err := received.Read(single)
	if err != nil {
		return batch.Result{Error: statusOf(refusal.InvalidArgument())}
	}
	answer := &recorder{header: make(http.Header)}
	if !answers(a.front, answer, read) {
		return batch.Result{Error: statusOf(refusal.Internal())}
	}
	body := jsontext.Value(answer.body.Bytes())
	if answer.status == http.StatusOK && body.IsValid() {
		return batch.Result{Response: body}
	}
	failed := gemini.DecodeError(answer.status, answer.Header(), body)
	return batch.Result{Error: statusOf(&refusal.Refusal{Status: failed.Status,
		Message: failed.Message})}
}

// answers serves a request of a batch and reports whether it was answered. It returns false after a
// fault that cuts the connection: such a fault panics with [http.ErrAbortHandler], and a batch has
// no connection to cut.
func answers(h http.Handler, w http.ResponseWriter, r *http.Request) (ok bool) {
	defer func() {
		if reason := recover(); reason != nil && reason != http.ErrAbortHandler {
			panic(reason)
		}
	}()
	h.ServeHTTP(w, r)
	return true
}

// statusOf returns a refusal as the status of a request in a batch, with the numeric code.
func statusOf(why *refusal.Refusal) jsontext.Value {
	return framing.Object([]framing.Member{
		{Name: "code", Value: strconv.AppendInt(nil, int64(why.Code()), 10)},
		{Name: "message", Value: framing.Text(why.Message)},
	})
}

// The page sizes of a list of batches.
const (
	defaultBatchPage = 50
	maxBatchPage     = 1000
)

// ListBatches lists the batches.
func (a *api) ListBatches(w http.ResponseWriter, r *http.Request,
	params geminiapi.ListBatchesParams) {
	page := pageOf(params.PageSize, params.PageToken, defaultBatchPage, maxBatchPage)
	writeFound(w, r, "operations", foundOf(a.batches.List(page)),
		func(b *batch.Batch) jsontext.Value {
			return b.Operation(b.Status(r.Context()))
		})
}

// GetBatch describes a batch.
func (a *api) GetBatch(w http.ResponseWriter, r *http.Request, id geminiapi.BatchID) {
	found, ok := a.batches.Get("batches/" + id)
	if !ok {
		refuse(w, r, refusal.NotFound())
		return
	}
	writeResource(w, found.Operation(found.Status(r.Context())))
}

// CancelBatch cancels a batch that is not done.
func (a *api) CancelBatch(w http.ResponseWriter, r *http.Request, id geminiapi.BatchID) {
	found, ok := a.batches.Get("batches/" + id)
	if !ok {
		refuse(w, r, refusal.NotFound())
		return
	}
	found.Cancel()
	writeEmpty(w)
}

// DeleteBatch deletes a batch.
func (a *api) DeleteBatch(w http.ResponseWriter, r *http.Request, id geminiapi.BatchID) {
	if !a.batches.Delete("batches/" + id) {
		refuse(w, r, refusal.NotFound())
		return
	}
	writeEmpty(w)
}
