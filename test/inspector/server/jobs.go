package main

import (
	"context"
	"sync"
	"time"

	"github.com/gemwire/gemwire/server/inspector"
)

// jobs are bulk jobs, once they have begun: a running, a paused, a finished and a failed job.
type jobs struct {
	mu    sync.Mutex
	since time.Time
}

func (j *jobs) begin() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.since = time.Now()
}

// Jobs implements [inspector.Jobs].
func (j *jobs) Jobs(context.Context, int) ([]inspector.Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.since.IsZero() {
		return nil, nil
	}
	seconds := int64(time.Since(j.since) / time.Second)
	hour := j.since.Add(-time.Hour)
	return []inspector.Job{
		{
			ID: "batch_4c1d", Client: "nightly", Model: "gemini-3.6-flash",
			Endpoint: "/v1/chat/completions", State: "in_progress",
			CreatedAt: j.since, Total: 10_000, Completed: 95 * seconds, Failed: 5 * seconds,
			InputTokens:  20_000 * seconds,
			OutputTokens: 9_000 * seconds, Cost: 0.02 * float64(seconds), Currency: "USD",
			Failures: map[string]int64{"429 rate_limit_exceeded": 4 * seconds,
				"400 <b>bold</b>": seconds},
		},
		{
			ID: "batch_3b7a", Model: "gemini-3.5-pro", Endpoint: "/v1/responses",
			State: "in_progress", CreatedAt: hour,
			Resting: "the daily quota is used up until 08:00", Total: 500, Completed: 200,
		},
		{
			ID: "batch_2f09", Model: "gemini-embedding-001", Endpoint: "/v1/embeddings",
			State: "completed", HasEnded: true,
			CreatedAt: hour, EndedAt: hour.Add(90 * time.Second), Total: 1_000_000,
			Completed: 1_000_000, Repeated: 12, InputTokens: 61_000_000,
		},
		{ID: "batch_1e55", Endpoint: "/v1/chat/completions", State: "failed", HasEnded: true,
			CreatedAt: hour, EndedAt: hour.Add(time.Second)},
	}, nil
}

// Failures implements [inspector.Jobs].
func (j *jobs) Failures(_ context.Context, id string, _ int) ([]inspector.Failure, error) {
	if id == "batch_1e55" {
		return []inspector.Failure{{Line: 17, Code: "invalid_json_line",
			Message: "the line is no JSON at byte 40"}}, nil
	}
	return []inspector.Failure{
		{Line: 12, CustomID: "question 12", Status: 429, Code: "rate_limit_exceeded",
			Message: "the quota of the minute is used up"},
		{Line: 31, CustomID: "<img src=x onerror=alert(1)>", Status: 400,
			Code: "invalid_request_error", Message: "<script>alert(1)</script>"},
	}, nil
}
