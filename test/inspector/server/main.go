// Command server serves an inspector for the tests in a browser, and plays it what they ask for. It
// writes one line of JSON with its addresses, and ends with its standard input.
//
//	POST CONTROL/play?scene=lossy&times=3   plays scenes of exchangetest or of scenes.go, and
//	                                        answers with the number of the last
//	POST CONTROL/history?times=200          plays an hour of them
//	POST CONTROL/leave                      ends exchanges that hang
//	POST CONTROL/jobs                       has bulk jobs shown, of which one goes on
//	POST CONTROL/link                       answers with an address that opens the page
//
// It is a module of its own, like the tests.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// few is the number of exchanges that an inspector with the argument "few" keeps.
const few = 5

// stage is an inspector and what plays to it.
type stage struct {
	mu        sync.Mutex
	clock     *exchangetest.Clock
	gateway   *exchangetest.Gateway
	inspector *inspector.Inspector
	addr      string
	jobs      *jobs
	scripted  int // exchanges that were reported without a gateway
}

func run() error {
	s := &stage{clock: exchangetest.NewClock(time.Now().Add(-time.Hour)), jobs: &jobs{}}
	s.gateway = &exchangetest.Gateway{Now: s.clock.Now, Sleep: s.clock.Sleep}
	opts := []inspector.Option{inspector.WithClock(s.clock.Now),
		inspector.WithReplay(http.HandlerFunc(s.replay))}
	for _, arg := range os.Args[1:] {
		switch arg {
		case "bodies":
			opts = append(opts, inspector.WithBodies())
		case "few":
			opts = append(opts, inspector.WithMaxExchanges(few))
		case "spend":
			opts = append(opts, inspector.WithSpend(spent{}))
		case "jobs":
			// the jobs progress with the real clock
			opts = append(opts, inspector.WithJobs(s.jobs), inspector.WithClock(time.Now))
		default:
			return fmt.Errorf("unknown argument %q", arg)
		}
	}
	ins, err := inspector.New(opts...)
	if err != nil {
		return err
	}
	s.inspector, s.gateway.Observer = ins, ins

	page, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	control, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.addr = page.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /play", s.play)
	mux.HandleFunc("POST /history", s.history)
	mux.HandleFunc("POST /jobs", func(http.ResponseWriter, *http.Request) { s.jobs.begin() })
	mux.HandleFunc("POST /leave",
		func(http.ResponseWriter, *http.Request) { s.gateway.EndHanging() })
	mux.HandleFunc("POST /link",
		func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, ins.URL(s.addr)) })
	go func() { _ = http.Serve(page, ins.Handler()) }()
	go func() { _ = http.Serve(control, mux) }()
	addresses := map[string]string{"page": "http://" + s.addr,
		"control": "http://" + control.Addr().String()}
	if err := json.NewEncoder(os.Stdout).Encode(addresses); err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return nil
}

// replay answers as a gateway would that is asked again.
func (s *stage) replay(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.ServeHTTP(w, r)
}

func (s *stage) play(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	times, err := strconv.Atoi(r.FormValue("times"))
	if err != nil {
		times = 1
	}
	for range times {
		scene, found := scenes[r.FormValue("scene")]
		if found {
			s.report(scene)
		}
		for _, scene := range exchangetest.All() {
			if strings.ReplaceAll(scene.Name, " ", "-") == r.FormValue("scene") {
				s.gateway.Play(scene)
				found = true
			}
		}
		if !found {
			http.Error(w, "no such scene", http.StatusNotFound)
			return
		}
	}
	fmt.Fprint(w, s.gateway.Played()+s.scripted)
}

func (s *stage) history(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	times, err := strconv.Atoi(r.FormValue("times"))
	if err != nil {
		http.Error(w, "how many times?", http.StatusBadRequest)
		return
	}
	s.gateway.PlayHistory(times, 50*time.Minute)
}
