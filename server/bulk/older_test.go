package bulk_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/gemwire/gemwire/server/bulk"
)

// publish writes a message directly into a store, without a checksum, as older versions did.
func publish(t *testing.T, address, subject, data string) {
	t.Helper()
	if _, err := lookInto(t, address).Publish(t.Context(), subject, []byte(data)); err != nil {
		t.Fatal(err)
	}
}

func TestAStoreOfAnOlderVersionIsAnErrorThatSaysWhatToDo(t *testing.T) {
	t.Parallel()
	address := startServer(t, &server.Options{StoreDir: t.TempDir()}).ClientURL()
	service := openAt(t, address)
	publish(t, address, "$KV.gemwire_bulk_jobs.job.older", `{"id":"older","state":"in_progress"}`)
	publish(t, address, "$KV.gemwire_bulk_files.file.older", `{"id":"older","ready":true}`)
	kept, err := service.PutFile(t.Context(), bulk.File{Name: "kept"}, strings.NewReader("kept"))
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func() error{
		"job.older": func() error { _, err := service.Job(t.Context(), "older"); return err },
		"job.older when it is cancelled": func() error {
			_, err := service.Cancel(t.Context(), "older")
			return err
		},
		"file.older": func() error { _, err := service.OpenFile(t.Context(), "older"); return err },
		"job.older in the list": func() error {
			for _, err := range service.Jobs(t.Context(), bulk.Page{}) {
				if err != nil {
					return err
				}
			}
			return nil
		},
	} {
		err := ask()
		want, _, _ := strings.Cut(name, " ")
		older, isOlder := errors.AsType[*bulk.OlderStoreError](err)
		if !isOlder || older.Kind != "record" || older.Name != want ||
			!strings.Contains(err.Error(), "start with an empty one") {
			t.Errorf("%s: %v; expected a *bulk.OlderStoreError", name, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := service.Work(ctx, live(&answerer{})); !errors.As(err, new(*bulk.OlderStoreError)) {
		t.Errorf("Work: %v; expected a *bulk.OlderStoreError", err)
	}
	if _, err := service.OpenFile(t.Context(), kept.ID); err != nil {
		t.Errorf("what was written since: %v", err)
	}
}
