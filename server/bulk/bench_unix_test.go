//go:build unix

package bulk_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk"
)

// BenchmarkJob runs a job with lines of 1 KB. The answers also have 1 KB and take no time. It
// reports the cost of the store per line: the processor time of the whole process, and the elapsed
// time.
//
//	go test -run '^$' -bench BenchmarkJob -benchtime 50000x ./server/bulk
func BenchmarkJob(b *testing.B) {
	service, err := bulk.Open(b.Context(), bulk.WithDirectory(b.TempDir()))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = service.Close() }()
	body := jsontext.Value(`{"choices":[{"message":{"role":"assistant","content":"` +
		strings.Repeat("answer ", 140) + `"}}]}`)
	worker := live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
		for _, l := range item.Lines {
			result := answered(l)
			result.Response.Body = body
			if err := item.Write(ctx, result); err != nil {
				return err
			}
		}
		return nil
	}))
	input := &questionReader{left: b.N, text: strings.Repeat("question ", 90)}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	b.ResetTimer()
	used := processorTime(b)
	job, err := service.Submit(ctx, bulk.Submission{Input: input, WithoutValidation: true})
	if err != nil {
		b.Fatal(err)
	}
	submitted := processorTime(b)
	go func() { done <- service.Work(ctx, worker) }()
	for progress, err := range service.Watch(ctx, job.ID) {
		if err != nil {
			b.Fatal(err)
		}
		if progress.Job.State == bulk.Completed && progress.Job.Counts.Completed != int64(b.N) {
			b.Fatalf("%d lines were answered", progress.Job.Counts.Completed)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64((submitted-used).Nanoseconds())/float64(b.N), "submit-cpu-ns/line")
	b.ReportMetric(float64((processorTime(b)-submitted).Nanoseconds())/float64(b.N),
		"work-cpu-ns/line")
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.Sys)/(1<<20), "MB")
	cancel()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// questionReader is an input that generates its lines while they are read.
type questionReader struct {
	left    int
	text    string
	pending []byte
}

func (r *questionReader) Read(p []byte) (int, error) {
	if len(r.pending) == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.left--
		r.pending = fmt.Appendf(r.pending,
			`{"custom_id":"q-%d","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"%s"}]}}`+
				"\n", r.left, r.text)
	}
	n := copy(p, r.pending)
	r.pending = r.pending[n:]
	return n, nil
}
