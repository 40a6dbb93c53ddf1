package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
)

// startServer runs a NATS server on a port of this machine until the test ends.
func startServer(t *testing.T, options *server.Options) *server.Server {
	t.Helper()
	return enginetest.Server(t, options)
}

// lookInto returns the content of a server without using the service.
func lookInto(t *testing.T, address string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func openAt(t *testing.T, address string, opts ...bulk.Option) *bulk.Service {
	t.Helper()
	service, err := bulk.Open(t.Context(),
		append([]bulk.Option{bulk.WithServer(address), bulk.WithMaxBytes(1 << 30)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	return service
}

func TestSeveralWorkersOnAServerShareAJobAndAskEachLineOnce(t *testing.T) {
	t.Parallel()
	s := startServer(t, &server.Options{StoreDir: t.TempDir(), SyncAlways: true})
	asked := &answerer{}
	var workers atomic.Int64
	for range 3 {
		first := true
		worker := live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
			if first {
				first = false
				workers.Add(1)
			}
			time.Sleep(2 * time.Millisecond)
			return asked.Run(ctx, item)
		}))
		worker.Items = 1
		work(t, openAt(t, s.ClientURL()), worker)
	}
	service := openAt(t, s.ClientURL())
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(600)), RangeLines: 10})
	await(t, service, job.ID, bulk.Completed)
	expectAll(t, results(t, service, job.ID), 0, 600)
	if workers.Load() != 3 {
		t.Errorf("%d workers had work", workers.Load())
	}
	asked.mu.Lock()
	defer asked.mu.Unlock()
	for id, n := range asked.asked {
		if n != 1 {
			t.Errorf("%s was asked %d times", id, n)
		}
	}
}

func TestAJobContinuesWhenTheServerIsRestarted(t *testing.T) {
	t.Parallel()
	options := &server.Options{StoreDir: t.TempDir(), SyncAlways: true}
	s := startServer(t, options)
	options.Port = s.Addr().(*net.TCPAddr).Port
	service := openAt(t, s.ClientURL())
	g := &gate{}
	g.open.Store(20)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(60)), RangeLines: 10})
	work(t, service, live(g))
	awaitCount(t, service, job.ID, 20)
	s.Shutdown()
	s.WaitForShutdown()
	startServer(t, options)
	g.open.Store(60)
	await(t, service, job.ID, bulk.Completed)
	expectAll(t, results(t, service, job.ID), 0, 60)
}

func TestAJobOnAClusterContinuesWhileOneServerAfterAnotherIsRestarted(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes a while until a cluster has leaders")
	}
	const members = 3
	ports := enginetest.FreePorts(t, 2*members)
	var routes []*url.URL
	for _, port := range ports[members:] {
		routes = append(routes,
			&url.URL{Scheme: "nats-route", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var options []*server.Options
	var servers []*server.Server
	var addresses []string
	for i := range members {
		options = append(options, &server.Options{
			ServerName: fmt.Sprintf("s%d", i), Port: ports[i], StoreDir: t.TempDir(),
			SyncAlways: true, Routes: routes,
			Cluster: server.ClusterOpts{Name: "bulk", Host: "127.0.0.1", Port: ports[members+i]},
		})
		servers = append(servers, startServer(t, options[i]))
		addresses = append(addresses, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	awaitCluster(t, servers)
	address := strings.Join(addresses, ",")
	service := openAt(t, address, bulk.WithReplicas(members))
	// a process that does not set the number of replicas does not change it
	_ = openAt(t, address).Close()
	expectReplicas(t, address, members)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(1500)), RangeLines: 10})
	for range 2 {
		worker := live(&answerer{answer: func(l line.Line) line.Result { time.Sleep(5 * time.Millisecond); return answered(l) }})
		work(t, openAt(t, address, bulk.WithReplicas(members)), worker)
	}
	for i, s := range servers {
		awaitCount(t, service, job.ID, int64(300*(i+1)))
		s.Shutdown()
		s.WaitForShutdown()
		time.Sleep(500 * time.Millisecond)
		servers[i] = startServer(t, options[i])
		awaitCluster(t, servers)
	}
	await(t, service, job.ID, bulk.Completed)
	expectAll(t, results(t, service, job.ID), 0, 1500)
}

// expectReplicas fails unless the data in streams has n replicas.
func expectReplicas(t *testing.T, address string, n int) {
	t.Helper()
	for info := range lookInto(t, address).ListStreams(t.Context()).Info() {
		if info.Config.Replicas != n {
			t.Errorf("the stream %s is on %d servers; expected %d", info.Config.Name,
				info.Config.Replicas, n)
		}
	}
}

// awaitCluster waits until the servers have a leader and all of them are up to date.
func awaitCluster(t *testing.T, servers []*server.Server) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		ready := true
		for _, s := range servers {
			health := s.Healthz(&server.HealthzOptions{})
			ready = ready && s.JetStreamIsCurrent() && health.StatusCode == 200
		}
		if ready {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the cluster does not come together")
		}
	}
}

// A server refuses a stream whose limit is larger than the server's space, even if the stream never
// needs the space.
func TestASmallServerIsEnough(t *testing.T) {
	t.Parallel()
	s := startServer(t, &server.Options{StoreDir: t.TempDir(), SyncAlways: true,
		JetStreamMaxStore: 64 << 20})
	service, err := bulk.Open(t.Context(), bulk.WithServer(s.ClientURL()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	work(t, service, live(&answerer{}))
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(20))})
	await(t, service, job.ID, bulk.Completed)
	expectAll(t, results(t, service, job.ID), 0, 20)
}

func TestAServerThatTakesShortMessagesIsEnough(t *testing.T) {
	t.Parallel()
	s := startServer(t, &server.Options{StoreDir: t.TempDir(), MaxPayload: 16 << 10,
		MaxPending: 1 << 20})
	service := openAt(t, s.ClientURL())
	id := strings.Repeat("long-", 4<<10)
	input := questions(5) + strings.ReplaceAll(questions(1), `"q-0"`, `"`+id+`"`)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(input)})
	work(t, service, live(&answerer{answer: func(l line.Line) line.Result {
		result := answered(l)
		result.Response.Body = jsontext.Value(`"` + strings.Repeat("x", 9<<10) + `"`)
		return result
	}}))
	ended := await(t, service, job.ID, bulk.Completed)
	if ended.Counts.Completed != 6 || ended.Counts.Repeated != 0 {
		t.Errorf("counts: %+v", ended.Counts)
	}
	all := results(t, service, job.ID)
	expectAll(t, all[:5], 0, 5)
	if all[5].CustomID != id || len(all[5].Response.Body) != 9<<10+2 {
		t.Errorf("the line with the long id: %d, %d bytes", len(all[5].CustomID),
			len(all[5].Response.Body))
	}
	failed, err := service.Submit(t.Context(),
		bulk.Submission{Input: strings.NewReader(strings.Repeat("{}\n", 2000))})
	if !errors.As(err, new(*line.InputError)) || failed.ProblemCount != 2000 ||
		len(failed.Problems) == 0 {
		t.Errorf("an input with many bad lines: %v, %d problems of which %d are named", err,
			failed.ProblemCount, len(failed.Problems))
	}
}

// An OpenAI client retries a refused request, so a request that has created a job must not be
// refused.
func TestAJobThatWasMadeIsNotRefusedSinceItsTaskCannotBeGiven(t *testing.T) {
	t.Parallel()
	s := startServer(t, &server.Options{StoreDir: t.TempDir()})
	service := openAt(t, s.ClientURL())
	file, err := service.PutFile(t.Context(), bulk.File{Name: "in.jsonl"},
		strings.NewReader(questions(5)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	const task = 2 // written after the job
	job, err := openBy(t, s.ClientURL(), endBehind(task, stop)).Submit(ctx,
		bulk.Submission{InputFile: file.ID})
	if err != nil {
		t.Fatal(err)
	}
	work(t, service, live(&answerer{}))
	await(t, service, job.ID, bulk.Completed)
}
