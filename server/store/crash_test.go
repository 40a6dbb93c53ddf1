package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/store"
)

// Variables of a process that a test kills: where its store is, the number of replicas, and a name
// that its ids begin with.
const (
	crashPlace    = "STORE_TEST_PLACE"
	crashReplicas = "STORE_TEST_REPLICAS"
	crashName     = "STORE_TEST_NAME"
)

func TestMain(m *testing.M) {
	if place := os.Getenv(crashPlace); place != "" {
		fmt.Fprintln(os.Stderr, writeForEver(place))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// placeOf returns the options for a folder or for servers.
func placeOf(place, replicas string) []store.Option {
	if !strings.Contains(place, "://") {
		return []store.Option{store.InFolder(place)}
	}
	n, _ := strconv.Atoi(replicas)
	return []store.Option{store.OnServers(place), store.WithReplicas(max(1, n))}
}

// writeForEver writes responses, conversations and signatures, and prints the name of each write
// that was acknowledged.
func writeForEver(place string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // if no test kills it
	defer cancel()
	s, err := store.Open(ctx, placeOf(place, os.Getenv(crashReplicas))...)
	if err != nil {
		return err
	}
	d, err := s.Documents(ctx)
	if err != nil {
		return err
	}
	failed := make(chan error)
	for worker := range 4 {
		go func() {
			for i := 0; ; i++ {
				name := fmt.Sprintf("%s_%d_%d", os.Getenv(crashName), worker, i)
				if err := write(ctx, s, d, name, worker, i); err != nil {
					failed <- err
					return
				}
				_, _ = os.Stdout.WriteString(name + "\n") // one system call
			}
		}()
	}
	return <-failed
}

// write writes a response with its items into a conversation, and a signature.
func write(ctx context.Context, s *store.Store, d responsestore.Store, name string,
	worker, i int) error {
	conversation := conversationOf(name)
	if i%20 == 0 {
		if err := d.Put(ctx, owner, responsestore.Write{Document: &responsestore.Document{
			ID: conversation, JSON: []byte("{}")}}); err != nil {
			return err
		}
	}
	entry := responsestore.Entry{List: responsestore.Output, ID: "item_" + name,
		JSON: []byte(`"` + strings.Repeat(name, 1+i%60*worker) + `"`)}
	item := entry
	item.List, item.ID = responsestore.Items, "in_"+name
	if err := d.Put(ctx, owner,
		responsestore.Write{Document: &responsestore.Document{ID: name, JSON: entry.JSON},
			Entries: []responsestore.Entry{entry}},
		responsestore.Write{ID: conversation, Entries: []responsestore.Entry{item}}); err != nil {
		return err
	}
	return s.Signatures().Keep(ctx, name, strings.Repeat(name, 1000))
}

// conversationOf returns the conversation of a write. Each has 20 of them.
func conversationOf(name string) string {
	at := strings.LastIndexByte(name, '_')
	i, _ := strconv.Atoi(name[at+1:])
	return fmt.Sprintf("conv_%s_%d", name[:at], i/20)
}

// writer is a process that writes for ever.
type writer struct {
	*exec.Cmd
	read sync.WaitGroup

	mu      sync.Mutex
	acked   []string
	isEnded bool
}

func startWriter(t *testing.T, place, replicas, name string) *writer {
	t.Helper()
	w := &writer{Cmd: exec.CommandContext(t.Context(), os.Args[0])}
	w.Env = append(os.Environ(), crashPlace+"="+place, crashReplicas+"="+replicas,
		crashName+"="+name)
	w.Stderr = os.Stderr
	out, err := w.StdoutPipe()
	if err == nil {
		err = w.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	w.read.Go(func() { w.collect(out) })
	return w
}

func (w *writer) collect(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		w.mu.Lock()
		w.acked = append(w.acked, lines.Text())
		w.mu.Unlock()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.isEnded = true
}

// waitForMore waits until the process has acknowledged more writes. It fails if the process ends.
func (w *writer) waitForMore(t *testing.T, more int) {
	t.Helper()
	for before := w.count(); w.count() < before+more; time.Sleep(10 * time.Millisecond) {
		w.mu.Lock()
		isEnded := w.isEnded
		w.mu.Unlock()
		if isEnded {
			t.Fatal("the process ended before it was killed")
		}
	}
}

// count returns the number of acknowledged writes.
func (w *writer) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.acked)
}

// kill ends the process as kill -9 does, and returns the writes that it has acknowledged.
func (w *writer) kill() []string {
	_ = w.Process.Kill()
	w.read.Wait()
	_ = w.Wait()
	return w.acked
}

// expectAll fails unless a store has all writes.
func expectAll(t *testing.T, opts []store.Option, names []string) {
	t.Helper()
	s, err := store.Open(t.Context(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	d, err := s.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	lost := 0
	for _, name := range names {
		if err := expect(t.Context(), s, d, name); err != nil {
			lost++
			if lost < 5 {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d writes are lost", lost, len(names))
	}
}

// expect returns an error unless the store has a write.
func expect(ctx context.Context, s *store.Store, d responsestore.Store, name string) error {
	if found, err := d.Get(ctx, owner, name); err != nil || found.ID != name {
		return fmt.Errorf("the response: %+v, %w", found, err)
	}
	for id, document := range map[string]string{"item_" + name: name,
		"in_" + name: conversationOf(name)} {
		if at, _, err := d.Find(ctx, owner, id); err != nil || at != document {
			return fmt.Errorf("%s: %q, %w", id, at, err)
		}
	}
	if found, err := s.Signatures().Find(ctx, name); err != nil ||
		found != strings.Repeat(name, 1000) {
		return fmt.Errorf("the signature: %d bytes, %w", len(found), err)
	}
	return nil
}

// kills returns how often a process is killed: few times, or the number in GEMWIRE_STORE_KILLS.
func kills(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("GEMWIRE_STORE_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 3
}

func TestAFolderHasAllAcknowledgedWritesWheneverItsProcessIsKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	folder := filepath.Join(t.TempDir(), "store")
	var all []string
	for round := range kills(t) {
		w := startWriter(t, folder, "1", fmt.Sprint("round", round))
		time.Sleep(20*time.Millisecond + rand.N(time.Second))
		acked := w.kill()
		all = append(all, acked...)
		expectAll(t, placeOf(folder, ""), acked)
	}
	expectAll(t, placeOf(folder, ""), all)
	t.Logf("%d acknowledged writes", len(all))
}

// Several processes write to the same servers, and one of them is killed all the time.
func TestServersHaveAllAcknowledgedWritesOfProcessesThatAreKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts processes")
	}
	for name, test := range map[string]struct {
		writers, replicas int
		start             func(t *testing.T) (address string)
	}{
		"two processes, one server": {2, 1, func(t *testing.T) string {
			return enginetest.Server(t, &server.Options{StoreDir: t.TempDir(),
				SyncAlways: true}).ClientURL()
		}},
		"three processes, three servers": {3, 3, func(t *testing.T) string {
			return enginetest.NewCluster(t, 3).Address
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, replicas := test.start(t), strconv.Itoa(test.replicas)
			var all []string
			writers := make([]*writer, test.writers)
			for i := range writers {
				writers[i] = startWriter(t, address, replicas, fmt.Sprint("first", i))
			}
			for round := range kills(t) {
				i := round % len(writers)
				writers[i].waitForMore(t, 10)
				time.Sleep(rand.N(500 * time.Millisecond))
				all = append(all, writers[i].kill()...)
				writers[i] = startWriter(t, address, replicas, fmt.Sprint("round", round))
			}
			for _, w := range writers {
				all = append(all, w.kill()...)
			}
			expectAll(t, placeOf(address, replicas), all)
			t.Logf("%d acknowledged writes", len(all))
		})
	}
}
