package bulk_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/bulk"
)

// messages is a logger's handler that keeps the messages.
type messages struct {
	slog.Handler
	mu  sync.Mutex
	all []string
}

func (*messages) Enabled(context.Context, slog.Level) bool { return true }

func (m *messages) Handle(_ context.Context, record slog.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, record.Message)
	return nil
}

// count returns the number of messages with a text.
func (m *messages) count(text string) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, message := range m.all {
		if strings.Contains(message, text) {
			n++
		}
	}
	return n
}

// boundWork limits the queue of a server to a number of bytes.
func boundWork(t *testing.T, address string, bytes int64) {
	t.Helper()
	js := lookInto(t, address)
	stream, err := js.Stream(t.Context(), "GEMWIRE_BULK_WORK")
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxBytes, config.Discard = bytes, jetstream.DiscardNew
	if _, err := js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}

func TestAFullQueueFailsASubmissionButNotACancellation(t *testing.T) {
	t.Parallel()
	address := startServer(t, &server.Options{StoreDir: t.TempDir()}).ClientURL()
	logged := &messages{Handler: slog.DiscardHandler}
	service := openAt(t, address, bulk.WithLogger(slog.New(logged)))
	const waits = "a task waits until a worker finds it"
	submit(t, service, bulk.Submission{ID: "before", Input: strings.NewReader(questions(1))})
	if _, err := service.Cancel(t.Context(), "before"); err != nil || logged.count(waits) != 0 {
		t.Errorf("with room: %v, %q", err, logged.all)
	}
	boundWork(t, address, 1)
	_, err := service.Submit(t.Context(),
		bulk.Submission{ID: "full", Input: strings.NewReader(questions(3)), RangeLines: 1})
	if full, ok := errors.AsType[*bulk.StorageError](err); !ok || !full.Full {
		t.Errorf("submitted: %v; expected a *StorageError that says full", err)
	}
	if job, err := service.Cancel(t.Context(), "full"); err != nil ||
		job.State != bulk.Cancelling || logged.count(waits) != 1 {
		t.Errorf("cancelled: %+v, %v, %q", job, err, logged.all)
	}
	boundWork(t, address, -1)
	work(t, service, live(&answerer{}))
	await(t, service, "full", bulk.Cancelled)
}
