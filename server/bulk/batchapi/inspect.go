package batchapi

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json"
)

// Jobs shows the jobs of a service on an inspector's page. It shows the jobs of all owners.
func Jobs(jobs *bulk.Service) inspector.Jobs { return shown{jobs} }

type shown struct{ jobs *bulk.Service }

// Jobs implements [inspector.Jobs].
func (s shown) Jobs(ctx context.Context, most int) ([]inspector.Job, error) {
	var out []inspector.Job
	for job, err := range s.jobs.Jobs(ctx, bulk.Page{Limit: most}) {
		if err != nil {
			return nil, err
		}
		progress, err := s.progress(ctx, job)
		if err != nil {
			return nil, err
		}
		out = append(out, shownJob(&progress))
	}
	return out, nil
}

// progress returns the progress of a job, including ranges in progress.
func (s shown) progress(ctx context.Context, job *bulk.Job) (bulk.Progress, error) {
	if job.State != bulk.InProgress {
		return bulk.Progress{Job: *job, Counts: job.Counts, Usage: job.Usage}, nil
	}
	for progress, err := range s.jobs.Watch(ctx, job.ID) {
		return progress, err
	}
	return bulk.Progress{}, ctx.Err()
}

func shownJob(p *bulk.Progress) inspector.Job {
	job := &p.Job
	out := inspector.Job{
		ID: job.ID, Client: job.Owner, Model: job.Model, Endpoint: job.Endpoint,
		State: string(job.State), HasEnded: job.State.Ended(),
		CreatedAt: job.CreatedAt, EndedAt: job.EndedAt(), Total: p.Counts.Total,
		Completed: p.Counts.Completed, Failed: p.Counts.Failed,
		Repeated: p.Counts.Repeated, InputTokens: p.Usage.InputTokens,
		OutputTokens: p.Usage.OutputTokens,
		Cost:         p.Usage.Cost, Currency: p.Usage.Currency, Failures: job.Failures,
	}
	if job.State == bulk.Failed { // no line was sent, because of these
		out.Failed = int64(max(job.ProblemCount, len(job.Problems)))
	}
	if rest := job.Parking; rest != nil {
		out.Resting = rest.Reason
		if !rest.Until.IsZero() {
			out.Resting += ", until " + rest.Until.UTC().Format("2006-01-02 15:04 MST")
		}
	}
	return out
}

// Failures implements [inspector.Jobs].
func (s shown) Failures(ctx context.Context, id string, most int) ([]inspector.Failure, error) {
	job, err := s.jobs.Job(ctx, id)
	if err != nil {
		return nil, err
	}
	if job.State == bulk.Failed {
		return s.problems(ctx, id, most)
	}
	lines, err := s.jobs.Errors(ctx, id)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	return readFailures(lines, most)
}

// problems returns the invalid lines.
func (s shown) problems(ctx context.Context, id string, most int) (out []inspector.Failure,
	err error) {
	for problem, err := range s.jobs.Problems(ctx, id) {
		if err != nil || len(out) == most {
			return out, err
		}
		out = append(out,
			inspector.Failure{Line: problem.Line, Code: problem.Code, Message: problem.Message})
	}
	return out, nil
}

// failedLine is a line of an errors file, in OpenAI's form or in Gemini's.
type failedLine struct {
	CustomID string `json:"custom_id"`
	Key      string `json:"key"`
	Response *struct {
		Status int `json:"status_code"`
		Body   struct {
			Error failure `json:"error"`
		} `json:"body"`
	} `json:"response"`
	Error *failure `json:"error"`
}

// failure is an error of any API. Its code is a word, or the number of an HTTP status.
type failure struct {
	Code    any    `json:"code"`
	Type    string `json:"type"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

func readFailures(lines io.Reader, most int) (out []inspector.Failure, err error) {
	reader := bufio.NewReader(lines)
	for len(out) < most {
		text, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		var line failedLine
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, err
		}
		out = append(out, line.failure())
	}
	return out, nil
}

// failure returns why a line failed.
func (l *failedLine) failure() inspector.Failure {
	out := inspector.Failure{CustomID: l.CustomID + l.Key} // which has one of both
	why := l.Error
	if l.Response != nil {
		out.Status, why = l.Response.Status, &l.Response.Body.Error
	}
	if why == nil {
		return out
	}
	out.Message, out.Code = why.Message, why.Status
	switch code := why.Code.(type) {
	case string:
		out.Code = code
	case float64:
		out.Status = int(code)
	}
	if out.Code == "" {
		out.Code = why.Type
	}
	return out
}
