package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// inSocketBubble runs a test with a client of a gateway whose upstream answers when the test lets
// it. The clock is fake.
func inSocketBubble(t *testing.T, test func(t *testing.T, g *pipedGateway, u *gatedUpstream,
	client *socketClient), opts ...gateway.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		upstream := newGatedUpstream()
		g := newPipedGateway(t, upstream.ServeHTTP, opts...)
		defer g.close()
		client, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
		defer client.CloseNow()
		test(t, g, upstream, client)
	})
}

// ends is an observer that passes on the ends of requests.
type ends chan exchange.End

// Begin implements [exchange.Observer].
func (e ends) Begin(exchange.Start) exchange.Recorder { return endRecorder{ends: e} }

type endRecorder struct {
	exchange.Nothing
	ends ends
}

// End implements [exchange.Recorder].
func (r endRecorder) End(end exchange.End) { r.ends <- end }

func TestAClientThatClosesEndsTheCallOfGeminiAndItsUsageIsCounted(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(c *socketClient){
		"with a close frame": func(c *socketClient) { _ = c.Close(websocket.StatusNormalClosure, "") },
		"without one":        func(c *socketClient) { _ = c.CloseNow() },
	} {
		synctest.Test(t, func(t *testing.T) {
			left := make(chan time.Time, 1)
			ended := make(ends, 1)
			g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, `data: {"candidates":[{"content":{"role":"model","parts":[{"text":`+
					`"a few words"}]}}],"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}`+"\n\n")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				left <- time.Now()
			}, gateway.WithObserver(ended))
			defer g.close()
			client, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
			client.send(t, creating("x", ""))
			for client.next(t).Type != "response.output_text.delta" {
			}
			begin := time.Now()
			leave(client)
			if took := (<-left).Sub(begin); took > 100*time.Millisecond {
				t.Errorf("%s: the call ended after %v", name, took)
			}
			if end := <-ended; !end.Canceled || end.Usage.InputTokens != 7 {
				t.Errorf("%s: %+v", name, end)
			}
		})
	}
}

// The client reads nothing. The write deadline ends the turn and frees what it holds.
func TestAClientThatDoesNotReadIsDisconnected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended, upstream := make(ends, 1), newGatedUpstream()
		// a heartbeat would wait for a mutex, during which the fake clock stands still
		g := newPipedGateway(t, upstream.ServeHTTP, gateway.WithObserver(ended),
			gateway.WithHeartbeat(gateway.HeartbeatOff, 0))
		defer g.close()
		client, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
		defer client.CloseNow()
		begin := time.Now()
		client.send(t, creating("x", ""))
		upstream.let <- struct{}{}
		end := <-ended
		if took := time.Since(begin); took > gateway.DefaultWriteTimeout+10*time.Second {
			t.Errorf("it ended after %v", took)
		}
		if !end.Canceled {
			t.Errorf("%+v", end)
		}
	})
}

func TestAPingIsAnsweredWhileATurnRuns(t *testing.T) {
	t.Parallel()
	inSocketBubble(t, func(t *testing.T, g *pipedGateway, u *gatedUpstream, client *socketClient) {
		client.send(t, creating("x", ""))
		synctest.Wait()
		frames := make(chan []*frame, 1)
		go func() { frames <- client.turn(t) }() // pongs only arrive during a read
		if err := client.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		u.let <- struct{}{}
		if got := <-frames; got[len(got)-1].Type != "response.completed" {
			t.Errorf("%s", got[len(got)-1].text)
		}
	})
}

func TestASilentModelIsKeptAliveAndNothingIsSentBetweenTurns(t *testing.T) {
	t.Parallel()
	inSocketBubble(t, func(t *testing.T, g *pipedGateway, u *gatedUpstream, client *socketClient) {
		client.send(t, creating("x", ""))
		got := make(chan []*frame, 1)
		go func() { got <- client.turn(t) }()
		time.Sleep(30 * time.Second) // heartbeats come after 5 s, 15 s and 25 s
		u.let <- struct{}{}
		frames := <-got
		var types []string
		for i, f := range frames {
			types = append(types, f.Type)
			if f.Sequence == nil || *f.Sequence != i {
				t.Errorf("frame %d is %s", i, f.text)
			}
		}
		if begun := strings.Join(types, " "); !strings.HasPrefix(begun,
			"response.created response.in_progress keepalive keepalive") ||
			strings.Count(begun, "keepalive") != 2 {
			t.Errorf("%s", begun)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		// the client then closes the connection, and Read returns either of the two errors
		if _, data, err := client.Read(ctx); err == nil || ctx.Err() == nil {
			t.Errorf("between turns came %s, %v", data, err)
		}
	})
}

func TestAClientThatAnswersNoPingIsDisconnected(t *testing.T) {
	t.Parallel()
	inSocketBubble(t, func(t *testing.T, g *pipedGateway, u *gatedUpstream, client *socketClient) {
		time.Sleep(10 * time.Minute) // it reads nothing, and so sends no pong
		if err := client.Write(t.Context(), websocket.MessageText, []byte("{}")); err == nil {
			t.Error("the connection is open")
		}
	})
}

func TestAConnectionEndsAfterSixtyMinutesWithoutCuttingATurn(t *testing.T) {
	t.Parallel()
	inSocketBubble(t, func(t *testing.T, g *pipedGateway, u *gatedUpstream, client *socketClient) {
		frames := make(chan *frame, 1000)
		closed := make(chan websocket.StatusCode, 1)
		go func() {
			for {
				_, data, err := client.Read(t.Context())
				if err != nil {
					closed <- websocket.CloseStatus(err)
					return
				}
				frames <- parsed(t, data)
			}
		}()
		terminal := func() *frame {
			for {
				if f := <-frames; f.isTerminal() {
					return f
				}
			}
		}
		time.Sleep(59 * time.Minute)
		client.send(t, creating("x", `,"stream_id":"long"`))
		time.Sleep(2 * time.Minute)
		client.send(t, creating("x", "")) // too late
		if f := terminal(); f.Error.Code != "websocket_connection_limit_reached" {
			t.Errorf("%s", f.text)
		}
		u.let <- struct{}{}
		if f := terminal(); f.Type != "response.completed" || *f.Lane != "long" {
			t.Errorf("%s", f.text)
		}
		if f := terminal(); f.Error.Code != "websocket_connection_limit_reached" ||
			f.Status != http.StatusBadRequest || f.Lane != nil {
			t.Errorf("%s", f.text)
		}
		if code := <-closed; code != websocket.StatusGoingAway {
			t.Errorf("closed with %d", code)
		}
	}, gateway.WithHeartbeat(gateway.HeartbeatComment, time.Hour))
}

func TestShutdownLetsTurnsEndAndClosesWith1001(t *testing.T) {
	t.Parallel()
	inSocketBubble(t, func(t *testing.T, g *pipedGateway, u *gatedUpstream, client *socketClient) {
		idle, _ := dialAt(t, t.Context(), g.client, "http://127.0.0.1")
		defer idle.CloseNow()
		client.send(t, creating("x", ""))
		client.send(t, creating("y", "")) // which waits
		synctest.Wait()
		ended := make(chan error, 1)
		go func() { ended <- g.handler.Shutdown(t.Context()) }()
		if code := idle.closed(); code != websocket.StatusGoingAway {
			t.Errorf("the idle connection closed with %d", code)
		}
		synctest.Wait()
		if len(ended) != 0 {
			t.Error("shutdown did not wait for the turn")
		}
		u.let <- struct{}{}
		frames := client.turn(t)
		if end := frames[len(frames)-1]; end.Type != "response.completed" {
			t.Errorf("%s", end.text)
		}
		if f := client.next(t); f.Status != http.StatusServiceUnavailable {
			t.Errorf("the waiting request: %s", f.text)
		}
		if code := client.closed(); code != websocket.StatusGoingAway {
			t.Errorf("closed with %d", code)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

func TestCloseEndsTurnsWithAFailureThatClientsCanRead(t *testing.T) {
	t.Parallel()
	inSocketBubble(t, func(t *testing.T, g *pipedGateway, u *gatedUpstream, client *socketClient) {
		client.send(t, creating("x", ""))
		synctest.Wait()
		g.handler.Close()
		if f := client.next(t); f.Status != http.StatusServiceUnavailable ||
			f.Error.Code != "server_is_overloaded" {
			t.Errorf("%s", f.text)
		}
		if code := client.closed(); code != websocket.StatusGoingAway {
			t.Errorf("closed with %d", code)
		}
		if err := g.handler.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestAMessageThatStallsIsA408AndCloses(t *testing.T) {
	t.Parallel()
	inSocketBubble(t, func(t *testing.T, g *pipedGateway, u *gatedUpstream, _ *socketClient) {
		begin := time.Now()
		conn := g.dialRaw(t)
		defer conn.Close()
		writeAll(t, conn, rawUpgrade)
		in := bufio.NewReader(conn)
		for line := ""; line != "\r\n"; {
			var err error
			if line, err = in.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		writeAll(t, conn, "\x81\xa0\x00\x00\x00\x00{") // one byte of 32
		var got []byte
		for !bytes.Contains(got, []byte("\x88")) && !bytes.Contains(got, []byte("in time")) {
			b, err := in.ReadByte()
			if err != nil {
				t.Fatalf("%v: %q", err, got)
			}
			got = append(got, b)
		}
		rest, _ := io.ReadAll(in)
		if !bytes.Contains(got, []byte(`"status":408`)) ||
			!bytes.Contains(rest, []byte("\x03\xf0the message did not arrive in time")) {
			t.Errorf("%q, %q", got, rest)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}
