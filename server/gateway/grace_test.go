package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/google/go-cmp/cmp"
)

// askedForm is a request of one of the APIs that the gateway speaks.
type askedForm struct {
	path, body string
	isOfChat   bool // the upstream is a server of OpenAI's API
}

// askedForms has each form, whole and as a stream. It is never modified.
var askedForms = map[string]askedForm{
	"chat, whole":                  {path: chatPath, body: hello},
	"chat, stream":                 {path: chatPath, body: streamed(hello)},
	"responses, whole":             {path: responsesPath, body: asked("hello", "")},
	"responses, stream":            {path: responsesPath, body: asked("hello", `,"stream":true`)},
	"messages, whole":              {path: messagesPath, body: said("hello", "")},
	"messages, stream":             {path: messagesPath, body: streamed(said("hello", ""))},
	"native, whole":                {path: nativeWhole, body: nativeHello},
	"native, stream":               {path: nativeSSE, body: nativeHello},
	"native from OpenAI, whole":    {path: nativeWhole, body: nativeHello, isOfChat: true},
	"native from OpenAI, stream":   {path: nativeSSE, body: nativeHello, isOfChat: true},
	"messages from OpenAI, stream": {path: messagesPath, body: streamed(said("hello", "")), isOfChat: true},
}

// wayOfAnswer is the time that the upstream waits, and its answer after that.
type wayOfAnswer struct {
	wait  time.Duration
	fails bool // before its first chunk
	beats gateway.HeartbeatMode
}

// handler returns a gateway in front of an upstream that answers this way.
func (f *askedForm) handler(t testing.TB, way wayOfAnswer, opts ...gateway.Option) http.Handler {
	t.Helper()
	opts = append([]gateway.Option{
		gateway.WithHeartbeat(way.beats, 10*time.Second),
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})),
		gateway.WithMaxAttempts(1),
	}, opts...)
	if f.isOfChat {
		s := &chatServer{}
		s.answer = func(r *http.Request, body string) *http.Response {
			time.Sleep(way.wait)
			if way.fails {
				return chatReply(500, `{"error":{"message":"broken","type":"server_error"}}`)
			}
			return s.answers(r, body)
		}
		return gatewayOfChat(t, s, opts...)
	}
	answer := []geminitest.Block{geminitest.TTFT(way.wait), geminitest.Text("one "),
		geminitest.Text("two")}
	if way.fails {
		answer = []geminitest.Block{geminitest.TTFT(way.wait), geminitest.InternalError()}
	}
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(answer...).Times(9)))
	return gatewayOf(t, server, opts...)
}

// headReader is an observer that stores the headers on the client's side. It takes some time to
// read each.
type headReader struct {
	exchange.Nothing
	reads time.Duration
	heads []exchange.Response
}

// WantsBodies implements [exchange.Recorder].
func (*headReader) WantsBodies() bool { return true }

// Begin returns the observer itself, because there is only one request.
func (h *headReader) Begin(exchange.Start) exchange.Recorder { return h }

// Response reads the header like an observer that copies it, so that the race detector finds
// concurrent writes.
func (h *headReader) Response(side exchange.Side, r exchange.Response) {
	if side != exchange.Client {
		return
	}
	for start := time.Now(); ; {
		head := exchange.Response{Status: r.Status, Header: r.Header.Clone()}
		if time.Since(start) >= h.reads {
			h.heads = append(h.heads, head)
			return
		}
	}
}

// The first chunk arrives before the grace period ends, after it, or never.
func TestHeadsAroundTheGraceAreRecordedAsTheyAreSent(t *testing.T) {
	t.Parallel()
	for name, form := range askedForms {
		for _, way := range []wayOfAnswer{
			{0, false, gateway.HeartbeatComment}, {0, true, gateway.HeartbeatComment},
			{8 * time.Second, false, gateway.HeartbeatComment}, {8 * time.Second, true, gateway.HeartbeatComment},
			{8 * time.Second, false, gateway.HeartbeatOff}, {8 * time.Second, true, gateway.HeartbeatOff},
		} {
			synctest.Test(t, func(t *testing.T) {
				heads := &headReader{}
				answer := post(form.handler(t, way, gateway.WithObserver(heads)), form.path,
					form.body)
				sent := []exchange.Response{{Status: answer.Code, Header: answer.Result().Header}}
				if diff := cmp.Diff(sent, heads.heads); diff != "" {
					t.Errorf("%s, %+v: sent (-) and recorded (+) differ\n%s", name, way, diff)
				}
			})
		}
	}
}

// Bodies are recorded, and an observer reads each header for longer than the grace period. First
// chunks and errors arrive at about the end of the grace period.
func TestGraceAndFirstChunkDoNotRace(t *testing.T) {
	t.Parallel()
	const grace = 20 * time.Millisecond
	for name, form := range askedForms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, wait := range []time.Duration{0, grace - time.Millisecond, grace,
				grace + time.Millisecond, 2 * grace} {
				for _, fails := range []bool{false, true} {
					way := wayOfAnswer{wait, fails, gateway.HeartbeatComment}
					heads := &headReader{reads: 2 * grace}
					answer := post(form.handler(t, way, gateway.WithFirstChunkWait(grace),
						gateway.WithObserver(heads)), form.path, form.body)
					if len(heads.heads) != 1 || answer.Body.Len() == 0 {
						t.Errorf("%+v: %d heads, %q", way, len(heads.heads), answer.Body)
					}
				}
			}
		})
	}
}

// A background response has a separate answer, in addition to the answer that the client gets.
func TestGraceOfAResponseInTheBackgroundDoesNotRace(t *testing.T) {
	t.Parallel()
	const grace = 20 * time.Millisecond
	for _, wait := range []time.Duration{0, grace, 2 * grace} {
		for _, fails := range []bool{false, true} {
			for _, members := range []string{`,"background":true`,
				`,"background":true,"stream":true`} {
				t.Run(fmt.Sprint(wait, fails, members), func(t *testing.T) {
					t.Parallel()
					form := askedForm{path: responsesPath, body: asked("hello", members)}
					heads := &headReader{reads: 2 * grace}
					way := wayOfAnswer{wait, fails, gateway.HeartbeatComment}
					server := form.handler(t, way, gateway.WithFirstChunkWait(grace),
						gateway.WithObserver(heads))
					handler, ok := server.(*gateway.Handler)
					if !ok {
						t.Fatal("not a gateway")
					}
					answer := post(handler, form.path, form.body)
					// it waits for background responses
					if err := handler.Shutdown(t.Context()); err != nil {
						t.Error(err)
					}
					if len(heads.heads) == 0 || answer.Code != http.StatusOK {
						t.Errorf("%d heads, HTTP %d: %s", len(heads.heads), answer.Code,
							answer.Body)
					}
				})
			}
		}
	}
}

// A timer writes heartbeats. A panic there would end the process.
func TestGracePanicOfAnObserverEndsTheRequestAlone(t *testing.T) {
	t.Parallel()
	for name, form := range askedForms {
		if !strings.HasSuffix(name, "stream") {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			way := wayOfAnswer{wait: 30 * time.Second, beats: gateway.HeartbeatComment}
			handler := form.handler(t, way, gateway.WithObserver(&panicking{}))
			request := httptest.NewRequest(http.MethodPost, form.path, strings.NewReader(form.body))
			request.Header.Set("Content-Type", "application/json")
			serveCut(t, handler, httptest.NewRecorder(), request)
		})
	}
}

// panicking is an observer that panics at each header and each event on the client's side.
type panicking struct{ headReader }

func (p *panicking) Begin(exchange.Start) exchange.Recorder { return p }

func (p *panicking) Response(side exchange.Side, _ exchange.Response) { p.fail(side) }

func (p *panicking) Chunk(side exchange.Side, _ []byte) { p.fail(side) }

func (*panicking) fail(side exchange.Side) {
	if side == exchange.Client {
		panic("an observer")
	}
}
