package inspector

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// maxReplays is the maximum number of replays at the same time.
const maxReplays = 4

// replayLimit is the time limit of a replay.
const replayLimit = 10 * time.Minute

// replayExchange sends the request of an exchange again, with its body or another one. When that
// has ended, it answers with the number of the new exchange.
func (i *Inspector) replayExchange(w http.ResponseWriter, r *http.Request) {
	var want struct {
		Body *string `json:"body"`
	}
	kept, ok := i.kept(w, r)
	if !ok || !readJSON(w, r, &want) {
		return
	}
	if i.replay == nil {
		refuse(w, http.StatusConflict, "Replay unavailable: no gateway attached")
		return
	}
	body, err := replayBody(&kept)
	if want.Body != nil {
		body, err = *want.Body, leftOutError(*want.Body)
	}
	if err != nil {
		refuse(w, http.StatusConflict, err.Error())
		return
	}
	select {
	case i.replays <- struct{}{}:
		defer func() { <-i.replays }()
	default:
		refuse(w, http.StatusTooManyRequests, "too many replays are running; try again later")
		return
	}
	i.play(w, r, &kept, body)
}

// play sends the request to the gateway, and answers with the outcome.
func (i *Inspector) play(w http.ResponseWriter, r *http.Request, kept *record, body string) {
	control := http.NewResponseController(w)
	// Some servers do not support deadlines.
	_ = control.SetWriteDeadline(time.Now().Add(replayLimit + writeLimit))
	request, err := replayRequest(kept, body)
	if err != nil {
		refuse(w, http.StatusConflict, "the request cannot be replayed")
		return
	}
	reply := &reply{header: http.Header{}, status: http.StatusOK}
	func() {
		defer func() {
			// http.ErrAbortHandler ends a broken answer. No other panic may end the inspector
			// either.
			if recover() != nil {
				reply.broke = true
			}
		}()
		i.replay.ServeHTTP(reply, request.WithContext(r.Context()))
	}()
	// in OpenAI's or Anthropic's header
	number := i.store.findRequest(cmp.Or(reply.header.Get("X-Request-Id"),
		reply.header.Get("Request-Id")))
	i.store.markReplay(number, kept.number)
	writeJSON(w, http.StatusOK, struct {
		Number int  `json:"number"`
		Status int  `json:"status"`
		Broke  bool `json:"broke"`
	}{number, reply.status, reply.broke})
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
	if request == nil {
		return "", errNoBodies
	}
	if request.body.leftOut > 0 {
		return "", errLeftOut
	}
	return request.body.text, nil
}

var (
	errNoBodies = errors.New("unavailable: bodies were not being recorded")
	errLeftOut  = errors.New("unavailable: the body was truncated when recorded")
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
type reply struct {
	header  http.Header
	status  int
	written bool
	broke   bool
}

func (r *reply) Header() http.Header { return r.header }

func (r *reply) WriteHeader(status int) {
	if !r.written && status >= http.StatusOK {
		r.status, r.written = status, true
	}
}

func (r *reply) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return len(data), nil
}

// Flush makes the reply support streaming.
func (r *reply) Flush() {}
