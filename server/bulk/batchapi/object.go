package batchapi

import (
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// fileOf returns a file object. Its status is processed at once, because clients wait for that.
func fileOf(f *bulk.File) *openaiapi.File {
	return &openaiapi.File{
		ID: f.ID, Object: openaiapi.ObjectTypeFile, Bytes: f.Bytes, CreatedAt: f.CreatedAt.Unix(),
		ExpiresAt: unix(f.ExpiresAt),
		Filename:  f.Name, Purpose: f.Purpose, Status: openaiapi.FileStatusProcessed,
	}
}

// unix returns a time in seconds since 1970, or nil for the zero time.
func unix(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	seconds := t.Unix()
	return &seconds
}

// batchOf returns a job as a batch object. The states are the same.
func batchOf(j *bulk.Job) *openaiapi.Batch {
	return &openaiapi.Batch{
		ID: j.ID, Object: openaiapi.ObjectTypeBatch, Endpoint: j.Endpoint,
		Model: jsonx.NonEmpty(j.Model), Errors: errorsOf(j),
		InputFileID: j.InputFile, CompletionWindow: completionWindow,
		Status:       openaiapi.BatchStatus(j.State),
		OutputFileID: jsonx.NonEmpty(j.OutputFile), ErrorFileID: jsonx.NonEmpty(j.ErrorFile),
		CreatedAt: j.CreatedAt.Unix(), InProgressAt: unix(j.InProgressAt),
		ExpiresAt:    unix(j.ExpiresAt),
		FinalizingAt: unix(j.FinalizingAt), CompletedAt: unix(j.CompletedAt),
		FailedAt:  unix(j.FailedAt),
		ExpiredAt: unix(j.ExpiredAt), CancellingAt: unix(j.CancellingAt),
		CancelledAt: unix(j.CancelledAt),
		RequestCounts: openaiapi.BatchCounts{
			Total: int(j.Counts.Total), Completed: int(j.Counts.Completed),
			Failed: int(j.Counts.Failed),
		},
		Usage: usageOf(j.Usage), Metadata: j.Metadata,
	}
}

// completionWindow is OpenAI's only completion window.
const completionWindow = "24h"

// errorsOf returns the faults of the input, or nil. Param names a member in OpenAI's way. The
// message has its pointer.
func errorsOf(j *bulk.Job) *openaiapi.BatchErrors {
	if len(j.Problems) == 0 {
		return nil
	}
	out := &openaiapi.BatchErrors{Object: openaiapi.ObjectTypeList}
	for _, problem := range j.Problems {
		failure := openaiapi.BatchError{Code: problem.Code, Message: problem.Message,
			Param: jsonx.NonEmpty(jsonx.ParamOf(problem.Param))}
		if problem.Param != "" {
			failure.Message = problem.Param + ": " + problem.Message
		}
		if problem.Line > 0 {
			failure.Line = &problem.Line
		}
		out.Data = append(out.Data, failure)
	}
	return out
}

// usageOf returns the token counts of a batch, or nil if the batch has no counts.
func usageOf(u line.Usage) *openaiapi.ResponseUsage {
	if u.InputTokens == 0 && u.OutputTokens == 0 {
		return nil
	}
	return &openaiapi.ResponseUsage{
		InputTokens:         int(u.InputTokens),
		InputTokensDetails:  openaiapi.ResponseInputTokens{CachedTokens: int(u.CachedTokens)},
		OutputTokens:        int(u.OutputTokens),
		OutputTokensDetails: openaiapi.ResponseOutputTokens{ReasoningTokens: int(u.ThinkingTokens)},
		TotalTokens:         int(u.InputTokens + u.OutputTokens),
	}
}
