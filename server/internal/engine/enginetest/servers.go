package enginetest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server runs a NATS server on a port of this machine until the test ends. It completes the
// options.
func Server(t testing.TB, options *server.Options) *server.Server {
	t.Helper()
	options.Host, options.NoSigs, options.JetStream = "127.0.0.1", true, true
	if options.Port == 0 {
		options.Port = server.RANDOM_PORT
	}
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s
}

// Cluster is a cluster of NATS servers.
type Cluster struct {
	// Address has the addresses of all servers.
	Address string
	servers []*server.Server
	options []*server.Options
}

// NewCluster runs a cluster with a number of servers until the test ends.
func NewCluster(t testing.TB, members int) *Cluster {
	t.Helper()
	ports := FreePorts(t, 2*members)
	var routes []*url.URL
	for _, port := range ports[members:] {
		routes = append(routes,
			&url.URL{Scheme: "nats-route", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	c := &Cluster{}
	var addresses []string
	for i := range members {
		options := &server.Options{
			ServerName: fmt.Sprintf("s%d", i), Port: ports[i], StoreDir: t.TempDir(),
			SyncAlways: true, Routes: routes,
			Cluster: server.ClusterOpts{Name: "gemwire", Host: "127.0.0.1",
				Port: ports[members+i]},
		}
		c.options = append(c.options, options)
		c.servers = append(c.servers, Server(t, options))
		addresses = append(addresses, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
	}
	c.Address = strings.Join(addresses, ",")
	c.await(t)
	return c
}

// Restart stops a server, waits for a time, starts it again, and waits until it is up to date.
func (c *Cluster) Restart(t testing.TB, i int, after time.Duration) {
	t.Helper()
	c.servers[i].Shutdown()
	c.servers[i].WaitForShutdown()
	time.Sleep(after)
	c.servers[i] = Server(t, c.options[i])
	c.await(t)
}

// await waits until the servers have a leader and all of them are up to date.
func (c *Cluster) await(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		ready := true
		for _, s := range c.servers {
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
