package killtest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
)

// natsNode is a NATS server of a cluster, or the only one.
type natsNode struct {
	Name, Folder      string
	Port, ClusterPort int
	Routes            []int // the cluster ports of all servers, or none

	process *process
}

func (n *natsNode) options() *server.Options {
	o := &server.Options{ServerName: n.Name, Host: "127.0.0.1", Port: n.Port, NoSigs: true,
		JetStream: true, StoreDir: n.Folder, SyncAlways: true}
	if len(n.Routes) > 0 {
		o.Cluster = server.ClusterOpts{Name: "killtest", Host: "127.0.0.1", Port: n.ClusterPort}
		for _, port := range n.Routes {
			o.Routes = append(o.Routes,
				&url.URL{Scheme: "nats-route", Host: fmt.Sprintf("127.0.0.1:%d", port)})
		}
	}
	return o
}

// start starts the server, also after it was killed.
func (n *natsNode) start(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	n.process = startSelf(t, nil, natsVariable+"="+string(text))
}

// natsServers are all servers of a store.
type natsServers []*natsNode

// startNATS starts a number of servers, and waits until they have JetStream.
func startNATS(t *testing.T, members int) (all natsServers) {
	t.Helper()
	ports, folder := enginetest.FreePorts(t, 2*members), t.TempDir()
	var routes []int
	if members > 1 {
		routes = ports[members:]
	}
	for i := range members {
		n := &natsNode{Name: fmt.Sprint("s", i), Folder: filepath.Join(folder, fmt.Sprint(i)),
			Port: ports[i], ClusterPort: ports[members+i], Routes: routes}
		n.start(t)
		all = append(all, n)
	}
	for deadline := time.Now().Add(time.Minute); !all.isReady(); {
		if time.Now().After(deadline) {
			t.Fatal("the NATS servers do not start")
		}
		time.Sleep(50 * time.Millisecond)
	}
	return all
}

func (all natsServers) isReady() bool {
	conn, err := nats.Connect(all.address())
	if err != nil {
		return false
	}
	defer conn.Close()
	reply, err := conn.Request("$JS.API.INFO", nil, time.Second)
	return err == nil && !strings.Contains(string(reply.Data), `"error"`)
}

func (all natsServers) address() string {
	var out []string
	for _, n := range all {
		out = append(out, fmt.Sprintf("nats://127.0.0.1:%d", n.Port))
	}
	return strings.Join(out, ",")
}
