package batchapi

import (
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/gateway/batches"
)

// The limits of OpenAI's batches.
const (
	maxLines     = 50_000
	maxFileBytes = 200 << 20
)

// Option configures a service.
type Option func(*service)

// WithExecutor sets the executor of batches (default [bulk.ExecutorLive]) and its settings.
func WithExecutor(name string, settings map[string]string) Option {
	return func(s *service) { s.executor, s.settings = name, settings }
}

// New returns a service that implements OpenAI's Batch API with jobs.
func New(jobs *bulk.Service, opts ...Option) batches.Service {
	s := &service{jobs: jobs}
	option.Apply(s, opts)
	return s
}

type service struct {
	jobs     *bulk.Service
	executor string
	settings map[string]string
}

// CreateFile implements [batches.Service].
func (s *service) CreateFile(ctx context.Context, owner batches.Owner,
	upload batches.Upload) (*openaiapi.File, error) {
	start := time.Now()
	described := func(f *bulk.File) error {
		details, err := upload.Details()
		if err != nil {
			return err
		}
		f.Purpose = details.Purpose
		if details.ExpiresAfter > 0 {
			f.ExpiresAt = start.Add(details.ExpiresAfter)
		}
		return refuseFile(f)
	}
	file, err := s.jobs.PutFile(ctx, bulk.File{Owner: string(owner), Name: upload.Filename},
		upload.Content, described)
	if err != nil {
		return nil, mapped(err)
	}
	return fileOf(file), nil
}

// refuseFile refuses files that OpenAI refuses at upload. Invalid lines are reported later, by the
// batch.
func refuseFile(f *bulk.File) error {
	if f.Purpose != bulk.PurposeBatch {
		return nil
	}
	if extension := path.Ext(f.Name); extension != "" && !strings.EqualFold(extension, ".jsonl") {
		return &batches.RefusedError{Param: "/file", Code: "invalid_file",
			Message: "file: a batch file must end in .jsonl, not " + extension}
	}
	if f.Bytes > maxFileBytes {
		return &batches.RefusedError{Param: "/file", Code: "file_too_large",
			Message: "file: a batch file must have at most 200 MiB"}
	}
	return nil
}

// File implements [batches.Service].
func (s *service) File(ctx context.Context, owner batches.Owner, id string) (*openaiapi.File,
	error) {
	file, err := s.file(ctx, owner, id)
	if err != nil {
		return nil, err
	}
	return fileOf(file), nil
}

// file returns a file of an owner.
func (s *service) file(ctx context.Context, owner batches.Owner, id string) (*bulk.File, error) {
	file, err := s.jobs.File(ctx, id)
	if err != nil {
		return nil, mapped(err)
	}
	if file.Owner != string(owner) {
		return nil, batches.ErrNotFound
	}
	return file, nil
}

// Files implements [batches.Service].
func (s *service) Files(ctx context.Context, owner batches.Owner,
	page batches.FilePage) ([]openaiapi.File, bool, error) {
	found := s.jobs.Files(ctx, bulk.Page{
		Owner: string(owner), After: page.After, Limit: mostOf(owner, page.Limit),
		OldestFirst: page.OldestFirst, Purpose: page.Purpose,
	})
	return listOf(found, page.Limit, func(f *bulk.File) string { return f.Owner }, owner, fileOf)
}

// mostOf returns how many entries to request: one more than the limit, which shows whether there
// are more. It returns 0, no limit, if the owner is "", because entries of all owners are mixed
// then.
func mostOf(owner batches.Owner, limit int) int {
	if owner == "" {
		return 0
	}
	return limit + 1
}

// listOf returns a page of a list, up to the limit.
func listOf[T, W any](found iter.Seq2[*T, error], limit int, ownerOf func(*T) string,
	owner batches.Owner, convert func(*T) *W) (out []W, hasMore bool, err error) {
	for one, err := range found {
		if err != nil {
			return nil, false, mapped(err)
		}
		if ownerOf(one) != string(owner) {
			continue
		}
		if len(out) == limit {
			return out, true, nil
		}
		out = append(out, *convert(one))
	}
	return out, false, nil
}

// DeleteFile implements [batches.Service].
func (s *service) DeleteFile(ctx context.Context, owner batches.Owner, id string) error {
	if _, err := s.file(ctx, owner, id); err != nil {
		return err
	}
	return mapped(s.jobs.DeleteFile(ctx, id))
}

// OpenFile implements [batches.Service].
func (s *service) OpenFile(ctx context.Context, owner batches.Owner, id string) (io.ReadCloser,
	int64, error) {
	file, err := s.file(ctx, owner, id)
	if err != nil {
		return nil, 0, err
	}
	content, err := s.jobs.OpenFile(ctx, id)
	return content, file.Bytes, mapped(err)
}

// CreateBatch implements [batches.Service].
func (s *service) CreateBatch(ctx context.Context, owner batches.Owner,
	in *openaiapi.CreateBatchRequest) (*openaiapi.Batch, error) {
	file, err := s.file(ctx, owner, in.InputFileID)
	if errors.Is(err, batches.ErrNotFound) {
		return nil, &batches.RefusedError{Param: "/input_file_id",
			Message: "/input_file_id: file " + in.InputFileID + " does not exist or was deleted"}
	}
	if err != nil {
		return nil, err
	}
	if file.Purpose != bulk.PurposeBatch {
		return nil, &batches.RefusedError{Param: "/input_file_id",
			Message: "/input_file_id: the file has the purpose " + file.Purpose +
				"; expected " + bulk.PurposeBatch}
	}
	submission := bulk.Submission{
		Owner: string(owner), InputFile: file.ID, Format: line.OpenAI, Endpoint: in.Endpoint,
		Metadata: in.Metadata,
		Executor: s.executor, Settings: s.settings, MaxLines: maxLines, MaxTexts: maxLines,
	}
	if after := in.OutputExpiresAfter; after != nil {
		submission.OutputExpiresAfter = time.Duration(after.Seconds) * time.Second
	}
	job, err := s.jobs.Submit(ctx, submission)
	if err != nil {
		return nil, mapped(err)
	}
	return batchOf(job), nil
}

// Batch implements [batches.Service].
func (s *service) Batch(ctx context.Context, owner batches.Owner, id string) (*openaiapi.Batch,
	error) {
	job, err := s.job(ctx, owner, id)
	if err != nil {
		return nil, err
	}
	if job.State != bulk.InProgress {
		return batchOf(job), nil
	}
	// also the lines of unfinished ranges: a small batch has one range
	progress, err := s.jobs.Progress(ctx, id)
	if err != nil {
		return nil, mapped(err)
	}
	now := progress.Job
	if !now.State.Ended() {
		now.Counts, now.Usage = progress.Counts, progress.Usage
	}
	return batchOf(&now), nil
}

// job returns a job of an owner.
func (s *service) job(ctx context.Context, owner batches.Owner, id string) (*bulk.Job, error) {
	job, err := s.jobs.Job(ctx, id)
	if err != nil {
		return nil, mapped(err)
	}
	if job.Owner != string(owner) {
		return nil, batches.ErrNotFound
	}
	return job, nil
}

// Batches implements [batches.Service].
func (s *service) Batches(ctx context.Context, owner batches.Owner,
	page batches.Page) ([]openaiapi.Batch, bool, error) {
	found := s.jobs.Jobs(ctx,
		bulk.Page{Owner: string(owner), After: page.After, Limit: mostOf(owner, page.Limit)})
	return listOf(found, page.Limit, func(j *bulk.Job) string { return j.Owner }, owner, batchOf)
}

// CancelBatch implements [batches.Service].
func (s *service) CancelBatch(ctx context.Context, owner batches.Owner,
	id string) (*openaiapi.Batch, error) {
	if _, err := s.job(ctx, owner, id); err != nil {
		return nil, err
	}
	job, err := s.jobs.Cancel(ctx, id)
	if err != nil {
		return nil, mapped(err)
	}
	return batchOf(job), nil
}

// mapped converts an error of a job to an error of package batches.
func mapped(err error) error {
	if _, ok := errors.AsType[*bulk.NotFoundError](err); ok {
		return batches.ErrNotFound
	}
	if refused, ok := errors.AsType[*bulk.StateError](err); ok {
		return &batches.RefusedError{Message: "the batch is " + string(refused.State) +
			" and can no longer be canceled"}
	}
	if refused, ok := errors.AsType[*bulk.SubmissionError](err); ok {
		return &batches.RefusedError{Message: refused.Reason}
	}
	if storage, ok := errors.AsType[*bulk.StorageError](err); ok && storage.Full {
		return &batches.FullError{Err: err}
	}
	return err
}
