package main

import (
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// serveNATS runs a server of NATS JetStream until a signal ends it.
func serveNATS(args []string) error {
	flags := flag.NewFlagSet("nats", flag.ExitOnError)
	port := flags.Int("port", 0, "")
	store := flags.String("store", "", "")
	name := flags.String("name", "", "")
	clusterPort := flags.Int("cluster-port", 0, "")
	routes := flags.String("routes", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	opts := &server.Options{
		Host: "127.0.0.1", Port: *port, JetStream: true, StoreDir: *store, SyncAlways: true,
		NoSigs: true, NoLog: true,
		ServerName: *name, MaxPayload: 8 << 20, DontListen: false,
	}
	if *clusterPort > 0 {
		opts.Cluster = server.ClusterOpts{Name: "bulk", Host: "127.0.0.1", Port: *clusterPort}
		for _, route := range strings.Split(*routes, ",") {
			parsed, err := url.Parse(route)
			if err != nil {
				return err
			}
			opts.Routes = append(opts.Routes, parsed)
		}
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		return fmt.Errorf("the server %s does not start", *name)
	}
	fmt.Println("ready")
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
	s.Shutdown()
	return nil
}

// natsServer is one that can be killed and started again, on the same port and folder.
type natsServer struct {
	args []string
	url  string
	*process
}

// newNATS returns servers, one or a cluster of several. They are not started.
func (p *plan) newNATS(name string, count int) (servers []*natsServer, err error) {
	ports := make([]int, 2*count)
	for i := range ports {
		if ports[i], err = freePort(); err != nil {
			return nil, err
		}
	}
	var routes []string
	for i := range count {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[count+i]))
	}
	for i := range count {
		store, err := p.dir(filepath.Join(name, fmt.Sprintf("nats-%d", i)))
		if err != nil {
			return nil, err
		}
		s := &natsServer{url: fmt.Sprintf("nats://127.0.0.1:%d", ports[i])}
		s.args = []string{"nats", "-port", fmt.Sprint(ports[i]), "-store", store, "-name",
			fmt.Sprintf("nats-%d", i)}
		if count > 1 {
			s.args = append(s.args, "-cluster-port", fmt.Sprint(ports[count+i]), "-routes",
				strings.Join(routes, ","))
		}
		servers = append(servers, s)
	}
	return servers, nil
}

// launch starts the server, which is this program. It may need others to be ready.
func (s *natsServer) launch() error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	s.process, err = start(nil, own, s.args...)
	return err
}

// start starts the server, and waits until it is ready.
func (s *natsServer) start() error {
	if err := s.launch(); err != nil {
		return err
	}
	_, err := s.waitFor("ready", time.Minute)
	return err
}

// freePort returns a free port.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
