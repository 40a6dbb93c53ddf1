package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// gatedUpstream answers each request when the test lets it.
type gatedUpstream struct {
	begun chan string // the text of the request
	let   chan struct{}
}

func newGatedUpstream() *gatedUpstream {
	return &gatedUpstream{begun: make(chan string, 100), let: make(chan struct{}, 100)}
}

func (g *gatedUpstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	buf := make([]byte, 64<<10)
	n, _ := r.Body.Read(buf)
	_, text, _ := strings.Cut(string(buf[:n]), `"text":"`)
	text, _, _ = strings.Cut(text, `"`)
	g.begun <- text
	select {
	case <-g.let:
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte(`data: {"candidates":[{"content":{"role":"model","parts":[{"text":"done"}]},` +
		`"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,` +
		`"totalTokenCount":2}}` + "\n\n"))
}

func TestRequestsOfOneLaneAreAnsweredInOrder(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	client := dialSocket(t, gatewayOf(t, server))
	for i := range 5 {
		client.send(t, creating(fmt.Sprint("text ", i), ""))
	}
	for i := range 5 {
		frames := client.turn(t)
		if end := frames[len(frames)-1]; !strings.Contains(end.text, fmt.Sprint("You said: text ", i)) {
			t.Errorf("turn %d is %s", i, end.text)
		}
	}
}

func TestLanesWorkInParallelAndNameTheirFrames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		upstream := newGatedUpstream()
		g := newPipedGateway(t, upstream.ServeHTTP)
		defer g.close()
		client, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
		defer client.CloseNow()
		for _, lane := range []string{"a", "b", "a"} {
			client.send(t, creating("in "+lane, `,"stream_id":"`+lane+`"`))
		}
		synctest.Wait()
		if n := len(upstream.begun); n != 2 { // the third waits for the first
			t.Errorf("%d requests are in flight, want 2", n)
		}
		upstream.let <- struct{}{}
		upstream.let <- struct{}{}
		upstream.let <- struct{}{}
		ends := map[string]int{}
		for ends["a"] < 2 || ends["b"] < 1 {
			f := client.next(t)
			if f.Lane == nil {
				t.Fatalf("no lane: %s", f.text)
			}
			if f.isTerminal() {
				ends[*f.Lane]++
			}
		}
	})
}

func TestSixteenRequestsAreInFlightAndMoreWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		upstream := newGatedUpstream()
		g := newPipedGateway(t, upstream.ServeHTTP)
		defer g.close()
		client, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
		defer client.CloseNow()
		for i := range 33 {
			client.send(t, creating("x", fmt.Sprintf(`,"stream_id":"lane-%d"`, i)))
		}
		f := client.next(t)
		if f.Error.Code != "websocket_stream_limit_reached" || f.Lane == nil ||
			*f.Lane != "lane-32" || f.Status != http.StatusBadRequest {
			t.Errorf("the 33rd lane: %s", f.text)
		}
		client.send(t, creating("x", "")) // the lane without a name is one more
		synctest.Wait()
		if n := len(upstream.begun); n != 16 {
			t.Errorf("%d requests are in flight, want 16", n)
		}
		go func() {
			for range 33 {
				upstream.let <- struct{}{}
			}
		}()
		for ends := 0; ends < 33; {
			if f := client.next(t); f.Type == "response.completed" {
				ends++
			}
		}
	})
}

func TestAFloodOfRequestsClosesWith1008(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		upstream := newGatedUpstream()
		g := newPipedGateway(t, upstream.ServeHTTP)
		defer g.close()
		client, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
		defer client.CloseNow()
		client.send(t, creating("x", ""))
		synctest.Wait() // it is in flight
		go func() {
			for range 65 { // 64 wait
				_ = client.Write(t.Context(), websocket.MessageText, []byte(creating("x", "")))
			}
		}()
		if code := client.closed(); code != websocket.StatusPolicyViolation {
			t.Errorf("closed with %d", code)
		}
		if n := len(upstream.begun); n != 1 {
			t.Errorf("%d calls of Gemini", n)
		}
	})
}

func TestConcurrentRequestsAreCountedByTurnsAndNotBySockets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		upstream := newGatedUpstream()
		g := newPipedGateway(t, upstream.ServeHTTP, gateway.WithMaxConcurrent(1),
			gateway.WithQueueWait(0))
		defer g.close()
		var clients []*socketClient
		for range 3 {
			client, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
			defer client.CloseNow()
			clients = append(clients, client)
		}
		clients[0].send(t, creating("x", ""))
		synctest.Wait()
		f := clients[1].create(t, "x", "")
		if f.Status != http.StatusTooManyRequests || f.Error.Code != "gateway_overloaded" {
			t.Errorf("%s", f.text)
		}
		upstream.let <- struct{}{}
		clients[0].turn(t)
		synctest.Wait()
		clients[2].send(t, creating("x", ""))
		upstream.let <- struct{}{}
		if frames := clients[2].turn(t); frames[0].Type == "error" {
			t.Errorf("%s", frames[0].text)
		}
	})
}
