package inspector

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// maxReplays is the maximum number of replays at the same time.
const maxReplays = 4

// replayLimit is the time limit of a replay.
const replayLimit = 10 * time.Minute

// replayExchange sends the request of an exchange again, with its body or another one. It answers
// with the number and the id of the new exchange as soon as that has begun.
func (i *Inspector) replayExchange(w http.ResponseWriter, r *http.Request) {
	var want struct {
		Body *string `json:"body"`
	}
	kept, ok := i.kept(w, r)
	if !ok || !readJSON(w, r, &want) {
		return
	}
	if i.replay == nil {
		refuse(w, http.StatusConflict, errNoGateway.Error())
		return
	}
	body, err := replayBody(&kept)
	if want.Body != nil {
		body, err = editedBody(&kept, *want.Body)
	}
	if err != nil {
		refuse(w, http.StatusConflict, err.Error())
		return
	}
	select {
	case i.replays <- struct{}{}:
	default:
		refuse(w, http.StatusTooManyRequests, "too many replays are running; try again later")
		return
	}
	started, err := i.startReplay(r.Context(), &kept, body, func() { <-i.replays })
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

// startedReplay is a replay that has begun.
type startedReplay struct {
	Number int    `json:"number"`
	ID     string `json:"id"`
}

// replayMark marks the request of a replay for [Inspector.Begin].
type replayMark struct {
	of    int // the number of the exchange that is replayed
	begun chan startedReplay
}

// startReplay sends the request of an exchange with a body to the gateway, and returns when the
// inspector has recorded the beginning of the new exchange. After that the context of the page does
// not matter. At the end of the replay, done is called.
func (i *Inspector) startReplay(page context.Context, kept *record, body string, done func()) (
	startedReplay, error) {
	request, err := replayRequest(kept, body)
	if err != nil {
		done()
		return startedReplay{}, errNotReplayed
	}
	mark := &replayMark{of: kept.number, begun: make(chan startedReplay, 1)}
	ctx, cancel := context.WithTimeout(exchange.WithMark(context.Background(), mark), replayLimit)
	reply := &reply{header: http.Header{}}
	ended := make(chan struct{})
	go func() {
		defer done()
		defer cancel()
		defer close(ended)
		defer func() {
			// http.ErrAbortHandler ends a broken answer. No other panic may end the inspector
			// either.
			_ = recover()
		}()
		i.replay.ServeHTTP(reply, request.WithContext(ctx))
	}()
	go func() { // which ends with the replay
		select {
		case <-i.closed:
			cancel()
		case <-ended:
		}
	}()
	select {
	case started := <-mark.begun:
		return started, nil
	case <-page.Done(): // before the gateway let the request in
		cancel()
		<-ended
	case <-ended:
	}
	select { // both may have happened
	case started := <-mark.begun:
		return started, nil
	default:
		return i.foundReplay(kept, reply)
	}
}

// foundReplay returns a replay whose handler did not pass on the context of its request. The id in
// OpenAI's or Anthropic's header identifies it.
func (i *Inspector) foundReplay(kept *record, reply *reply) (startedReplay, error) {
	id := cmp.Or(reply.header.Get("X-Request-Id"), reply.header.Get("Request-Id"))
	number := i.store.findRequest(id)
	if number == 0 {
		return startedReplay{}, errNotRecorded
	}
	i.store.markReplay(number, kept.number)
	return startedReplay{number, id}, nil
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
		return nil, err
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

// replayBody returns the request body of an exchange, or an error if it cannot be sent again.
func replayBody(r *record) (string, error) {
	request := r.client.request
	switch {
	case request == nil && r.bodies && r.end == nil:
		return "", errNotRead
	case request == nil:
		return "", errNoBodies
	}
	if request.body.leftOut > 0 {
		return "", errLeftOut
	}
	return request.body.whole(), nil
}

var (
	errNotRead       = errors.New("unavailable: the body of the request has not arrived yet")
	errNoBodies      = errors.New("unavailable: bodies were not being recorded")
	errLeftOut       = errors.New("unavailable: the body was truncated when recorded")
	errNoGateway     = errors.New("replay unavailable: no gateway attached")
	errNotReplayed   = errors.New("the request cannot be replayed")
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

// markReplay records that an exchange replays another. It does nothing for number 0.
func (s *store) markReplay(number, of int) {
	var replay *record
	if s.find(number, func(r *record) { replay = r }) {
		s.change(replay, func() int { replay.replayOf = of; return 0 })
	}
}

// reply receives the answer of a replay. The page shows what the gateway reports about it.
type reply struct{ header http.Header }

func (r *reply) Header() http.Header { return r.header }

func (r *reply) WriteHeader(int) {}

func (r *reply) Write(data []byte) (int, error) { return len(data), nil }

// Flush makes the reply support streaming.
func (r *reply) Flush() {}
