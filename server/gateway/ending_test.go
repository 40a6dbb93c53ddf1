package gateway_test

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
)

// After its grace period a gateway ends requests in flight with an error that clients can read. It
// does not log that the clients disconnected.
func TestRequestsInFlightAtTheEndGetTheReason(t *testing.T) {
	t.Parallel()
	for name, streams := range map[string]bool{"a stream": true, "a whole answer": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				notes := &diary{}
				g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
					io.Copy(io.Discard, r.Body)
					if streams {
						w.Header().Set("Content-Type", "text/event-stream")
						io.WriteString(w,
							`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"one"}]}}],"responseId":"r"}`+
								"\n\n")
						w.(http.Flusher).Flush()
					}
					<-r.Context().Done()
				}, gateway.WithObserver(notes))
				answered := make(chan outcome)
				go func() { answered <- g.ask(t.Context(), t, streams) }()
				time.Sleep(3 * time.Second)
				g.handler.Close()
				got := <-answered
				if got.err != nil || got.code != "shutting_down" || got.isDone ||
					streams != (got.status == http.StatusOK) {
					t.Errorf("%+v", got)
				}
				g.close()
				synctest.Wait()
				if end := notes.last().end; end.Canceled || end.ErrorCode != "shutting_down" {
					t.Errorf("%+v", end)
				}
			})
		})
	}
}
