// Command witness stands between the client libraries under test and gemwire serve, and holds what
// that sends to the descriptions of OpenAI's API, Anthropic's and Google's of interactions: each
// body, and each event of a stream. Clients are lenient, so that what they take proves little.
//
//	witness http://127.0.0.1:8080
//
// It says on standard error where it listens, then a line for each answer, and what was wrong. It
// runs until a signal ends it; the exit code is 1 when an answer was wrong.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: witness URL")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	faults, err := run(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if faults > 0 {
		log.Fatalf("%d faults", faults)
	}
}

// run passes requests on until ctx ends, and returns how many faults there were.
func run(ctx context.Context, gateway string) (int64, error) {
	target, err := url.Parse(gateway)
	if err != nil {
		return 0, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	var count atomic.Int64
	server := &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: newWitness(target, func(a answer, faults []error) {
			count.Add(int64(len(faults)))
			log.Print(line(a))
			for _, fault := range faults {
				log.Printf("fault: %s %s: %v", a.method, a.path, fault)
			}
		})}
	log.Printf("listening on http://%s", listener.Addr())
	go server.Serve(listener)
	<-ctx.Done()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if server.Shutdown(last) != nil {
		server.Close()
	}
	return count.Load(), nil
}

// line describes an answer, such as "POST /v1/chat/completions 200". It adds "left" if the client
// did not read the whole answer.
func line(a answer) string {
	text := fmt.Sprintf("%s %s %d", a.method, a.path, a.status)
	if !a.isWhole {
		text += " left"
	}
	return text
}
