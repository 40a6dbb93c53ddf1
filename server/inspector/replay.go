package inspector

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// maxReplays is the maximum number of replays at the same time.
const maxReplays = 4

// replayLimit is the time limit of a replay.
const replayLimit = 10 * time.Minute

// replayExchange sends the request of an exchange again, with changes. It answers with the number
// and the id of the new exchange as soon as that has begun. A replay that waits because others run
// has no id yet.
func (i *Inspector) replayExchange(w http.ResponseWriter, r *http.Request) {
	var want replayEdit
	kept, ok := i.kept(w, r)
	if !ok || !readJSON(w, r, &want) {
		return
	}
	plan, err := i.plan(&kept, &want)
	if err != nil {
		refuse(w, http.StatusConflict, err.Error())
		return
	}
	if !i.reserveReplays(w, 1) {
		return
	}
	run := i.startReplay(plan)
	select {
	case <-run.begun:
	case <-run.waits:
	case <-run.ended:
	case <-r.Context().Done(): // before the gateway let the request in
		run.cancel()
		<-run.ended
	}
	started, err := run.outcome()
	if err != nil {
		refuse(w, http.StatusConflict, err.Error())
		return
	}
	writeJSON(w, http.StatusOK, started)
}

// editedBody returns an edited body of an exchange with its media, or why it cannot be sent.
func editedBody(kept *record, edited string) (string, error) {
	if err := leftOutError(edited); err != nil {
		return "", err
	}
	if kept.client.request == nil {
		return edited, nil
	}
	return kept.client.request.body.withMedia(edited)
}

// startedReplay is a replay that has begun, or that waits and has no id yet.
type startedReplay struct {
	Number int    `json:"number"`
	ID     string `json:"id"`
}

// replayPlan is a replay that has not begun.
type replayPlan struct {
	of      int // the number of the exchange that is replayed
	start   exchange.Start
	request *http.Request
	account string // the only one to call, "" for any
}

// replayRun is a replay. It is also the mark by which [Inspector.Begin] recognizes its request.
type replayRun struct {
	record *record
	cancel context.CancelFunc
	waits  chan struct{} // closed if it waits for others
	mayRun chan struct{} // closed when it need not wait
	begun  chan struct{} // closed when the gateway has let the request in
	ended  chan struct{} // closed at the end

	once sync.Once
	id   string // set before begun is closed
}

// outcome returns what a page learns about a replay, or why the replay is not recorded.
func (r *replayRun) outcome() (startedReplay, error) {
	select {
	case <-r.begun:
		return startedReplay{r.record.number, r.id}, nil
	default:
	}
	select {
	case <-r.ended:
		return startedReplay{}, errNotRecorded
	default:
		return startedReplay{r.record.number, ""}, nil
	}
}

// startReplay records a new exchange and sends its request to the gateway, at once or when fewer
// replays run. Its place was reserved. Closing the inspector ends the replay.
func (i *Inspector) startReplay(plan *replayPlan) *replayRun {
	run := &replayRun{waits: make(chan struct{}), begun: make(chan struct{}),
		ended: make(chan struct{}), mayRun: make(chan struct{})}
	start := plan.start
	start.At = i.clock()
	run.record = newRecord(i.retain.start(start), i.forms, i.backlog)
	run.record.replayOf = plan.of
	i.store.holdReplayed(plan.of)
	i.store.add(run.record)
	ctx, cancel := context.WithCancel(exchange.WithMark(context.Background(), run))
	run.cancel = cancel
	go func() { // which ends with the replay
		select {
		case <-i.closed:
			cancel()
		case <-run.ended:
		}
	}()
	if !i.replays.enter(run) {
		close(run.waits)
	}
	go i.runReplay(exchange.WithAccount(ctx, plan.account), plan, run)
	return run
}

// runReplay waits until the replay may run, and runs it unless its exchange was dropped.
func (i *Inspector) runReplay(ctx context.Context, plan *replayPlan, run *replayRun) {
	defer i.replays.leave(run)
	defer close(run.ended)
	defer i.store.releaseReplayed(plan.of)
	defer run.cancel()
	select {
	case <-run.mayRun:
	case <-ctx.Done():
	}
	if ctx.Err() != nil || i.isClosed() || !i.store.has(run.record) { // also if there is room
		i.store.remove(run.record)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, replayLimit)
	defer cancel()
	i.send(plan.request.WithContext(ctx))
	select {
	case <-run.begun:
	default: // The handler did not pass on the context, or refused the request before.
		i.store.remove(run.record)
	}
}

func (i *Inspector) isClosed() bool {
	select {
	case <-i.closed:
		return true
	default:
		return false
	}
}

// send sends a request to the gateway.
func (i *Inspector) send(request *http.Request) {
	defer func() {
		// http.ErrAbortHandler ends a broken answer. No other panic may end the inspector either.
		_ = recover()
	}()
	i.replay.ServeHTTP(&reply{header: http.Header{}}, request)
}

// begin returns the recorder of a replay that the gateway has let in, or nil for a second request
// of the same replay.
func (i *Inspector) begin(run *replayRun, start exchange.Start) (r *recorder) {
	run.once.Do(func() {
		i.store.adopt(run.record, i.retain.start(start))
		run.id = run.record.start.ID
		close(run.begun)
		r = &recorder{store: i.store, retain: i.retain, clock: i.clock, record: run.record}
	})
	return r
}

// adopt gives an exchange that was added before its request the facts of the request.
func (s *store) adopt(r *record, start exchange.Start) {
	s.change(r, func() int {
		grown := startSize(&start) - startSize(&r.start)
		r.start = start
		s.name(r)
		return grown
	})
}

// remove drops an exchange that has not taken place.
func (s *store) remove(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.index(r.number); ok && !r.dropped {
		s.revision++
		s.drop(at)
		s.wake()
	}
}

// replayRequest returns the request of an exchange with a body.
func replayRequest(kept *record, body string) (*http.Request, error) {
	address := kept.start.Path
	if kept.client.request != nil {
		address = kept.client.request.url
	}
	request, err := http.NewRequest(kept.start.Method, "http://localhost"+address,
		bytes.NewReader([]byte(body)))
	if err != nil {
		return nil, errNotReplayed
	}
	request.RequestURI, request.RemoteAddr = address, "inspector"
	request.Header.Set("Content-Type", "application/json")
	if kept.client.request != nil {
		for _, field := range kept.client.request.header {
			if !slices.Contains(connectionFields, strings.ToLower(field.Name)) {
				request.Header.Add(field.Name, field.Value)
			}
		}
	}
	request.Header["Content-Type"] = request.Header["Content-Type"][:1]
	return request, nil
}

// connectionFields are headers of a connection or a body, and headers in which browsers report a
// request's origin, which no longer applies. They are in lower case.
var connectionFields = []string{
	"host", "connection", "content-length", "content-type", "content-encoding", "accept-encoding",
	"transfer-encoding",
	"keep-alive", "te", "trailer", "upgrade", "origin", "referer", "sec-fetch-site",
	"sec-fetch-mode", "sec-fetch-dest",
	"x-request-id", "x-stainless-retry-count",
}

// whyNoReplay returns why no request can be replayed, or "".
func (i *Inspector) whyNoReplay() string {
	if i.replay != nil {
		return ""
	}
	return "Unavailable: " + cmp.Or(i.noReplay, "no gateway is attached") + "."
}

// replayBody returns the request body of an exchange, or an error if it cannot be sent again.
func replayBody(r *record) (string, error) {
	request := r.client.request
	switch {
	case request == nil && r.bodies && r.end == nil:
		return "", errNotRead
	case request == nil:
		return "", errNoBodies
	}
	if err := request.body.missing(); err != nil {
		return "", err
	}
	return request.body.whole(), nil
}

var (
	errNotRead       = errors.New("unavailable: the body of the request has not arrived yet")
	errNoBodies      = errors.New("unavailable: bodies were not being recorded")
	errLeftOut       = errors.New("unavailable: the body was truncated when recorded")
	errMissed        = errors.New("unavailable: the body was not kept because the inspector was busy")
	errNotReplayed   = errors.New("the request cannot be replayed")
	errDropped       = errors.New("this exchange was dropped")
	errNotRecorded   = errors.New("the gateway has not recorded the replay")
	errUnknownMedium = errors.New(`the body names a "[gemwire media …]" that this request does not have`)
)

// leftOutError returns an error for a body that still contains the mark of an omission.
func leftOutError(body string) error {
	if strings.Contains(body, leftOutTag) {
		return errors.New(`replace "[gemwire left out …]" with the full value before sending`)
	}
	return nil
}

// reply receives the answer of a replay. The page shows what the gateway reports about it.
type reply struct{ header http.Header }

func (r *reply) Header() http.Header { return r.header }

func (r *reply) WriteHeader(int) {}

func (r *reply) Write(data []byte) (int, error) { return len(data), nil }

// Flush makes the reply support streaming.
func (r *reply) Flush() {}
