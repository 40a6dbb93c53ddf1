package gateway_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// stop ends a response that the upstream does not end.
type stop string

const (
	stopNothing stop = ""
	stopCancel  stop = "cancel"
	stopDelete  stop = "delete"
	stopClose   stop = "close" // of the gateway, as after SIGTERM
)

// endingStream is a streamed response of the Responses API, with the way in which it ends.
type endingStream struct {
	upstream                         []geminitest.Block
	heartbeat                        gateway.HeartbeatMode
	inBackground, isPolled, isStrict bool
	stop                             stop
	// stopAt is the time of stop. followAt is the time when two other clients join a background
	// stream.
	stopAt, followAt time.Duration
}

// endedStream has the data that clients have received of an endingStream.
type endedStream struct {
	code int
	live []byte // nil if it is polled
	// followed has the data that joining clients have received, by the event from which they read.
	followed map[int][]byte
	kept     []byte              // the stream as it is kept, nil for none
	response *openaiapi.Response // as it is kept
}

// The limits of the upstream in these tests.
const (
	endFirstByte = 20 * time.Second
	endIdle      = 15 * time.Second
)

// run serves the response to its end. It is called in a bubble.
func (e *endingStream) run(t *testing.T) *endedStream {
	t.Helper()
	store := responsestore.NewMemory(responsestore.Bounds{})
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(e.upstream...).Times(9)))
	opts := []gateway.Option{
		gateway.WithResponseStore(store), gateway.WithHeartbeat(e.heartbeat, 4*time.Second),
		gateway.WithMaxAttempts(1),
		gateway.WithModelSettings(map[string]gateway.ModelSettings{"": {FirstByte: endFirstByte,
			Idle: endIdle}}),
	}
	if e.isStrict {
		opts = append(opts, gateway.WithStrict())
	}
	handler := gatewayOf(t, server, opts...)
	members := `,"stream":true`
	if e.inBackground {
		members += `,"background":true`
	}
	if e.isPolled {
		members = `,"background":true`
	}
	live := serveLive(handler, http.MethodPost, responsesPath, asked("hello", members+weatherTool))
	followers := map[int]*liveAnswer{}
	time.Sleep(e.followAt)
	id := live.responseID()
	if e.inBackground && id != "" {
		for _, from := range []int{0, 1 + strings.Count(live.text(), "\nevent: ")} {
			path := fmt.Sprint(responsesPath, "/", id, "?stream=true&starting_after=", from-1)
			followers[from] = serveLive(handler, http.MethodGet, path, "")
		}
	}
	time.Sleep(e.stopAt - e.followAt)
	e.end(t, handler, live.responseID())
	out := &endedStream{followed: map[int][]byte{}}
	<-live.done
	for from, follower := range followers {
		<-follower.done
		if follower.code == http.StatusOK {
			out.followed[from] = follower.body.Bytes()
		}
	}
	// it waits for background responses
	if err := handler.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	out.code = live.code
	if !e.isPolled || out.code != http.StatusOK {
		out.live = live.body.Bytes()
	}
	out.read(t, gatewayOf(t, server, gateway.WithResponseStore(store)), live.responseID(),
		e.inBackground)
	return out
}

// end ends the response, if the upstream does not.
func (e *endingStream) end(t *testing.T, handler *gateway.Handler, id string) {
	t.Helper()
	switch {
	case e.stop == stopClose:
		handler.Close()
	case id == "" || !e.inBackground: // a client cannot name it
	case e.stop == stopCancel:
		responseOf(t, do(handler, http.MethodPost, responsesPath+"/"+id+"/cancel", "Content-Type",
			"application/json"))
	case e.stop == stopDelete:
		if answer := do(handler, http.MethodDelete,
			responsesPath+"/"+id); answer.Code != http.StatusOK {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	}
}

// read reads what is kept of the response.
func (s *endedStream) read(t *testing.T, handler http.Handler, id string, inBackground bool) {
	t.Helper()
	if answer := do(handler, http.MethodGet, responsesPath+"/"+id); id != "" &&
		answer.Code == http.StatusOK {
		s.response = responseOf(t, answer)
	}
	if answer := do(handler, http.MethodGet, responsesPath+"/"+id+"?stream=true"); inBackground &&
		answer.Code == http.StatusOK {
		s.kept = answer.Body.Bytes()
	}
}

// check reports what is wrong with the streams that clients have received. Each must end once, with
// an event of this type or, for "", with any terminal event, and all must be the same.
func (s *endedStream) check(t *testing.T, name string, end openaiapi.ResponseEventType) {
	t.Helper()
	whole := s.live
	for _, stream := range [][]byte{s.live, s.kept, s.followed[0]} {
		if stream == nil || s.code != http.StatusOK {
			continue
		}
		for _, v := range responses.CheckStream(stream) {
			t.Errorf("%s: %s %s %s\n%s", name, v.Pointer, v.Rule, v.Want, brief(stream))
		}
		if got := lastEvent(t, stream); got.Type != end &&
			(end != "" || !slices.Contains(terminalEvents, got.Type)) {
			t.Errorf("%s: ends by %s, expected %q\n%s", name, got.Type, end, brief(stream))
		}
		whole = stream
	}
	if s.code != http.StatusOK {
		descriptiontest.OpenAI(t, "ErrorResponse", s.live)
	}
	if s.kept == nil && len(s.followed) == 0 {
		return
	}
	all := namedEvents(t, string(whole))
	for from, stream := range s.followed {
		if !slices.Equal(all[min(from, len(all)):], namedEvents(t, string(stream))) {
			t.Errorf("%s: followed from %d differs\n%s\n%s", name, from, brief(stream),
				brief(whole))
		}
	}
	if s.live != nil && !slices.Equal(all, namedEvents(t, string(s.live))) {
		t.Errorf("%s: live and kept differ\n%s\n%s", name, brief(s.live), brief(whole))
	}
}

// terminalEvents are the last events of a stream. It is never modified.
var terminalEvents = []openaiapi.ResponseEventType{
	openaiapi.ResponseEventTypeCompleted, openaiapi.ResponseEventTypeIncomplete,
	openaiapi.ResponseEventTypeFailed,
}

func lastEvent(t *testing.T, stream []byte) *openaiapi.ResponseEvent {
	t.Helper()
	events := eventsIn(t, string(stream))
	if len(events) == 0 {
		return &openaiapi.ResponseEvent{}
	}
	return &events[len(events)-1]
}

var numberOfEvent = regexp.MustCompile(`"type":"([a-z_.]+)","sequence_number":(\d+)`)

// brief returns the types and the numbers of events.
func brief(stream []byte) string {
	var out []string
	for _, found := range numberOfEvent.FindAllSubmatch(stream, -1) {
		out = append(out, string(found[1])+" "+string(found[2]))
	}
	return strings.Join(out, "; ")
}

// liveAnswer is an answer that is read while it is written.
type liveAnswer struct {
	done  chan struct{}
	isCut bool // the handler gave up the connection

	mu     sync.Mutex
	header http.Header
	code   int
	body   bytes.Buffer
}

// serveLive sends a request, and returns its answer before it is complete.
func serveLive(handler http.Handler, method, path, body string) *liveAnswer {
	a := &liveAnswer{done: make(chan struct{}), header: http.Header{}, code: http.StatusOK}
	request := httptest.NewRequestWithContext(context.Background(), method, path,
		strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	go func() {
		defer close(a.done)
		defer func() {
			if reason := recover(); reason != nil && reason != http.ErrAbortHandler {
				panic(reason)
			} else if reason != nil {
				a.isCut = true
			}
		}()
		handler.ServeHTTP(a, request)
	}()
	return a
}

func (a *liveAnswer) Header() http.Header { return a.header }

func (a *liveAnswer) WriteHeader(code int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.code = code
}

func (a *liveAnswer) Write(data []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.body.Write(data)
}

func (a *liveAnswer) text() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.body.String()
}

var responseIDs = regexp.MustCompile(`"id":"(resp_[^"]+)"`)

// responseID returns the id in the answer, or "".
func (a *liveAnswer) responseID() string {
	if found := responseIDs.FindStringSubmatch(a.text()); found != nil {
		return found[1]
	}
	return ""
}

// callBegins is the first piece of a call. callSignedTwice is a later piece with a second
// signature, which is lost.
const (
	callBegins = `{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"get_weather",` +
		`"partialArgs":[{"jsonPath":"$.city","stringValue":"Hu","willContinue":true}],"willContinue":true},` +
		`"thoughtSignature":"Zmlyc3Q="}]}}]}`
	callSignedTwice = `{"candidates":[{"content":{"parts":[{"functionCall":{` +
		`"partialArgs":[{"jsonPath":"$.city","stringValue":"sum"}],"willContinue":true},` +
		`"thoughtSignature":"c2Vjb25k"}]}}]}`
)

// endPlaces are the positions where a response ends. endFaults are the upstream's faults that end
// it.
var (
	endPlaces = map[string][]geminitest.Block{
		"before the first chunk": nil,
		"in a text":              {geminitest.Text("Half an ")},
		"in a thought":           {geminitest.Thought("Let me see ")},
		"in a call":              {geminitest.Chunk(callBegins)},
		"after several items": {
			geminitest.Thought("Well."), geminitest.Text("Look: "),
			geminitest.Call("get_weather", `{"city":"x"}`),
			geminitest.Text("and "),
		},
	}
	endFaults = map[string]geminitest.Block{
		"error":          geminitest.InternalError(),
		"error as event": geminitest.AsEvent(geminitest.Unavailable()),
		"rate limit":     geminitest.RateLimited(time.Second), "cut": geminitest.Cut(),
		"truncated": geminitest.Truncate(),
		"reset":     geminitest.Reset(), "garbage": geminitest.Garbage(),
		"silence": geminitest.Stall(),
	}
)

// everyWay calls a function with each way to answer: streamed, in the background, polled there;
// with and without heartbeats.
func everyWay(e endingStream, do func(name string, e endingStream)) {
	for _, mode := range []gateway.HeartbeatMode{gateway.HeartbeatComment, gateway.HeartbeatOff} {
		e.heartbeat = mode
		for _, way := range []string{"plain", "background", "polled"} {
			e.inBackground, e.isPolled = way != "plain", way == "polled"
			do(fmt.Sprintf("%s, heartbeat %s", way, mode), e)
		}
	}
}

func TestAFailedStreamEndsOnceForEachClient(t *testing.T) {
	t.Parallel()
	for place, before := range endPlaces {
		for fault, block := range endFaults {
			// within the grace and after it, with heartbeats
			for _, wait := range []time.Duration{0, 12 * time.Second} {
				upstream := append([]geminitest.Block{geminitest.TTFT(wait)}, block)
				if before != nil {
					upstream = append(slices.Clone(before), geminitest.Pause(wait+time.Second),
						block)
				}
				stream := endingStream{upstream: upstream, followAt: 8 * time.Second}
				everyWay(stream, func(way string, e endingStream) {
					name := fmt.Sprint(fault, " ", place, " after ", wait, ", ", way)
					synctest.Test(t, func(t *testing.T) {
						got := e.run(t)
						got.check(t, name, openaiapi.ResponseEventTypeFailed)
						isKept := got.kept != nil && got.response != nil &&
							got.response.Status == openaiapi.ResponseStatusFailed
						if e.inBackground && !isKept {
							t.Errorf("%s: kept is %+v with %s", name, got.response, brief(got.kept))
						}
					})
				})
			}
		}
	}
}

func TestAStoppedStreamEndsOnceForEachClient(t *testing.T) {
	t.Parallel()
	for place, before := range endPlaces {
		for stopped, status := range map[stop]openaiapi.ResponseStatus{
			stopCancel: openaiapi.ResponseStatusCancelled, stopDelete: "",
			stopClose: openaiapi.ResponseStatusFailed,
		} {
			for _, at := range []time.Duration{time.Second, 14 * time.Second} {
				upstream := append(slices.Clone(before), geminitest.Stall())
				stream := endingStream{upstream: upstream, stop: stopped, stopAt: at,
					followAt: at / 2}
				everyWay(stream, func(way string, e endingStream) {
					name := fmt.Sprint(stopped, " ", place, " at ", at, ", ", way)
					synctest.Test(t, func(t *testing.T) {
						got := e.run(t)
						got.check(t, name, openaiapi.ResponseEventTypeFailed)
						if !e.inBackground {
							return
						}
						if status == "" && e.isPolled && got.response != nil {
							t.Errorf("%s: still kept", name)
						}
						if status != "" && e.isPolled &&
							(got.response == nil || got.response.Status != status) {
							t.Errorf("%s: kept as %+v, expected %s", name, got.response, status)
						}
					})
				})
			}
		}
	}
}

// The encoder knows events with a loss before it sends them. Their numbers must not be missing.
func TestAStreamThatFailsForItsLossesEndsOnce(t *testing.T) {
	t.Parallel()
	for place, upstream := range map[string][]geminitest.Block{
		"in the middle": {
			geminitest.Chunk(callBegins), geminitest.Pause(6 * time.Second),
			geminitest.Chunk(callSignedTwice),
			geminitest.Text("more"),
		},
		"at once": {geminitest.TTFT(6 * time.Second), geminitest.Chunk(callBegins), geminitest.Chunk(callSignedTwice)},
	} {
		stream := endingStream{upstream: upstream, isStrict: true, followAt: 3 * time.Second}
		everyWay(stream, func(way string, e endingStream) {
			synctest.Test(t, func(t *testing.T) {
				e.run(t).check(t, place+", "+way, openaiapi.ResponseEventTypeFailed)
			})
		})
	}
}

// A stream that is already complete when a client cancels it stays complete for each client.
func TestACancelAfterTheEndChangesNothing(t *testing.T) {
	t.Parallel()
	for _, stopped := range []stop{stopCancel, stopClose} {
		upstream := []geminitest.Block{geminitest.Text("one "), geminitest.Pause(7 * time.Second),
			geminitest.Text("two")}
		stream := endingStream{upstream: upstream, stop: stopped, stopAt: 8 * time.Second,
			followAt: 3 * time.Second}
		everyWay(stream, func(way string, e endingStream) {
			synctest.Test(t, func(t *testing.T) {
				got := e.run(t)
				got.check(t, way, openaiapi.ResponseEventTypeCompleted)
				if got.response == nil || got.response.Status != openaiapi.ResponseStatusCompleted {
					t.Errorf("%s: kept as %+v", way, got.response)
				}
			})
		})
	}
}

// An observer that panics ends the response like any other failure.
func TestABackgroundResponseThatFailsByAPanicEndsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("one "),
				geminitest.Text("two"))))
		handler := keeping(t, server, gateway.WithObserver(&panicking{}))
		answer := post(handler, responsesPath, asked("hello", `,"background":true,"stream":true`))
		if err := handler.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		(&endedStream{code: answer.Code, live: answer.Body.Bytes()}).check(t, "panic",
			openaiapi.ResponseEventTypeFailed)
	})
}
