package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/internal/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, settings engine.Settings) *engine.Engine {
	t.Helper()
	settings.Logger = slog.New(slog.DiscardHandler)
	if settings.Replicas == 0 {
		settings.Replicas = 1
	}
	e, err := engine.Open(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func openDirectory(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Settings{Directory: t.TempDir(), MaxBytes: 1 << 30})
}

// startServer runs a server of NATS, and returns its address and a connection of the test's own.
func startServer(t *testing.T) (string, *nats.Conn) {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT,
		NoSigs: true, JetStream: true, StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return s.ClientURL(), conn
}

func message(subject, data string) *nats.Msg {
	return &nats.Msg{Subject: subject, Data: []byte(data)}
}

func TestASubjectHasOneMessageForAnyWriter(t *testing.T) {
	t.Parallel()
	e := openDirectory(t)
	if _, err := e.Files.Get(t.Context(), engine.SubjectFiles+"f.0"); !engine.IsNotFound(err) {
		t.Errorf("a message that there is not: %v", err)
	}
	if err := e.Files.Create(t.Context(), message(engine.SubjectFiles+"f.0", "first")); err != nil {
		t.Fatal(err)
	}
	if err := e.Files.Create(t.Context(),
		message(engine.SubjectFiles+"f.0", "second")); !errors.Is(err, engine.ErrConflict) {
		t.Errorf("a second message: %v; expected %v", err, engine.ErrConflict)
	}
	if found, err := e.Files.Get(t.Context(), engine.SubjectFiles+"f.0"); err != nil ||
		string(found.Data) != "first" {
		t.Errorf("%v, %v", found, err)
	}
}

func TestATokenIsOnePartOfASubject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "a": true, "z": true, "A": true, "Z": true, "0": true, "9": true, "-": true,
		"_": true, "batch_0-Z": true,
		strings.Repeat("x", 128): true, strings.Repeat("x", 129): false,
		"/": false, ":": false, "@": false, "[": false, "`": false, "{": false, "a.b": false,
		"a b": false, "*": false, ">": false, "\u00e9": false,
	} {
		if got := engine.Token(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestAServerThatFailedIsStartedAgainAndHasAllItHad(t *testing.T) {
	t.Parallel()
	e := openDirectory(t)
	if err := e.Files.Create(t.Context(), message(engine.SubjectFiles+"f.0", "kept")); err != nil {
		t.Fatal(err)
	}
	e.FailServer()
	if err := e.Revive(context.Background()); err != nil {
		t.Fatalf("revive: %v", err)
	}
	if found, err := e.Files.Get(t.Context(), engine.SubjectFiles+"f.0"); err != nil ||
		string(found.Data) != "kept" {
		t.Errorf("%v, %v", found, err)
	}
}

func TestARequestIsSentAgainWhenTheConnectionIsLostBeforeItsReply(t *testing.T) {
	t.Parallel()
	settings := engine.Settings{Directory: t.TempDir(), MaxBytes: 1 << 30}
	first, second := open(t, settings), open(t, settings)
	calls := 0
	err := second.Ask(t.Context(), func(ctx context.Context) error {
		if calls++; calls > 1 {
			return nil
		}
		first.Close() // its process has the server
		<-ctx.Done()
		return ctx.Err()
	})
	if err != nil || calls != 2 {
		t.Errorf("sent %d times: %v", calls, err)
	}
}

// diverter sends a client's requests to replicas to another subject, which a test answers. It is a
// dialer for NATS's client.
type diverter struct{}

func (diverter) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	return &diverted{conn}, err
}

type diverted struct{ net.Conn }

const asked, answered = "$JS.API.DIRECT.GET.", "$JS.API.DIRECT.OLD." // of one length

func (c *diverted) Write(data []byte) (int, error) {
	return c.Conn.Write(bytes.ReplaceAll(data, []byte(asked), []byte(answered)))
}

// A replica that lags reports that the message does not exist.
func TestAStaleReplicaHidesNothing(t *testing.T) {
	t.Parallel()
	address, conn := startServer(t)
	var times atomic.Int64
	_, err := conn.Subscribe(answered+">", func(m *nats.Msg) {
		times.Add(1)
		_ = m.RespondMsg(&nats.Msg{Header: nats.Header{"Status": {"404"},
			"Description": {"Message Not Found"}}})
	})
	if err == nil {
		err = conn.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	e := open(t, engine.Settings{URL: address,
		Connection: []nats.Option{nats.SetCustomDialer(diverter{})}})
	const subject = engine.SubjectFiles + "f.0"
	if _, err := e.Files.Get(t.Context(), subject); !engine.IsNotFound(err) {
		t.Errorf("a message that there is not: %v", err)
	}
	kept := message(subject, "x")
	kept.Header = nats.Header{"Kind": {"one"}}
	if err := e.Files.Create(t.Context(), kept); err != nil {
		t.Fatal(err)
	}
	if found, err := e.Files.Get(t.Context(), subject); err != nil || string(found.Data) != "x" ||
		found.Header.Get("Kind") != "one" {
		t.Errorf("%+v, %v", found, err)
	}
	if times.Load() != 2 {
		t.Errorf("the replica was asked %d times", times.Load())
	}
}

// A list must not wait for keys that are deleted while it is read.
func TestAListComesToItsEndWhileKeysAreDeleted(t *testing.T) {
	t.Parallel()
	e := openDirectory(t)
	var deleting sync.WaitGroup
	for round := range 20 {
		for i := range 50 {
			if _, err := e.Jobs.Put(t.Context(), fmt.Sprintf("job.%d-%d", round, i), []byte("{}"),
				0); err != nil {
				t.Fatal(err)
			}
		}
		deleting.Go(func() {
			for i := range 50 {
				if err := e.Jobs.Forget(t.Context(),
					fmt.Sprintf("job.%d-%d", round, 49-i)); err != nil {
					t.Error(err)
				}
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if _, err := e.Jobs.All(ctx, "job.*"); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		cancel()
	}
	deleting.Wait()
}

// boundOfFiles returns the maximum size of files on a server.
func boundOfFiles(t *testing.T, conn *nats.Conn) int64 {
	t.Helper()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), engine.StreamFiles)
	if err != nil {
		t.Fatal(err)
	}
	return stream.CachedInfo().Config.MaxBytes
}

func TestAProcessWithoutASizeLimitKeepsTheLimitOfTheStore(t *testing.T) {
	t.Parallel()
	address, conn := startServer(t)
	open(t, engine.Settings{URL: address, MaxBytes: 64 << 20})
	open(t, engine.Settings{URL: address})
	if got := boundOfFiles(t, conn); got != 32<<20 {
		t.Errorf("files may take %d bytes; expected %d", got, 32<<20)
	}
}

func TestAllConcurrentRaisesOfALimitGetTheRoomAndReturnIt(t *testing.T) {
	t.Parallel()
	address, conn := startServer(t)
	e := open(t, engine.Settings{URL: address, MaxBytes: 64 << 20})
	const callers, before = 8, 32 << 20
	for _, step := range []struct{ bytes, want int64 }{{1000, before + callers*1000},
		{-1000, before}} {
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				if err := e.Files.Grow(t.Context(), step.bytes); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got := boundOfFiles(t, conn); got != step.want {
			t.Errorf("files may take %d bytes after steps of %d; expected %d", got, step.bytes,
				step.want)
		}
	}
}

func TestABoundIsNeverLoweredBelowTheSettings(t *testing.T) {
	t.Parallel()
	address, conn := startServer(t)
	e := open(t, engine.Settings{URL: address, MaxBytes: 64 << 20})
	grow := func(bytes int64) func() {
		return func() {
			if err := e.Files.Grow(t.Context(), bytes); err != nil {
				t.Fatal(err)
			}
		}
	}
	reopen := func(maxBytes int64) func() {
		return func() { open(t, engine.Settings{URL: address, MaxBytes: maxBytes}) }
	}
	for _, step := range []struct {
		name string
		do   func()
		want int64
	}{
		{"raised", grow(1000), 32<<20 + 1000},
		{"opened by who does not say how large it is", reopen(0), 32<<20 + 1000},
		{"opened by who does", reopen(64 << 20), 32 << 20},
		{"lowered by what it was raised", grow(-1000), 32 << 20},
		{"opened by who says more", reopen(128 << 20), 64 << 20},
		{"lowered again", grow(-1000), 64 << 20},
		{"opened by who says less", reopen(64 << 20), 32 << 20},
	} {
		step.do()
		if got := boundOfFiles(t, conn); got != step.want {
			t.Fatalf("%s: files may take %d bytes; expected %d", step.name, got, step.want)
		}
	}
}
