package fakegemini

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/cassette"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Handler is the fake server as an [http.Handler], for your own server. [NewHandler] makes a
// Handler. It is safe for concurrent use.
type Handler struct {
	log           requestLog
	keepsRequests bool // stores requests in the log
	script        *script.Player
	cassette      *cassette.Recorder // nil without a cassette
	// the first handler of a request; nil unless made by NewHandler
	front http.Handler
	keys  []received.Key // the valid keys; if empty, every key is valid
}

// NewHandler returns a fake server that does not listen. [Start] returns one that listens.
//
// It returns an error if a script or cassette of the options is invalid.
func NewHandler(opts ...Option) (*Handler, error) {
	s := settings{now: today}
	for i, opt := range opts {
		if opt == nil {
			return nil, fmt.Errorf("fakegemini: option %d is nil", i)
		}
		opt.apply(&s)
	}
	if s.err != nil {
		return nil, s.err
	}
	api := newAPI(&s)
	player, err := newPlayer(&s, api)
	if err != nil {
		return nil, err
	}
	api.front = player.Wrap(api)
	h := &Handler{keepsRequests: !s.dropsRequests, script: player, front: api.front, keys: s.keys}
	if s.isRecorded {
		if h.cassette, err = openCassette(&s); err != nil {
			return nil, err
		}
		h.front = h.cassette
	}
	return h, nil
}

// today returns the time for looking models up without [WithClock].
func today() time.Time {
	now := clock.Now()
	if now.Year() >= firstYear {
		return now
	}
	var newest time.Time
	for _, known := range models.All(models.BothBackends, now) {
		if released := known.Lifecycle.Released; released.After(newest) {
			newest = released
		}
	}
	return newest
}

// firstYear is the year of the first Gemini models. An earlier clock is the clock of a bubble of
// testing/synctest.
const firstYear = 2023

// notMade is the error text of the zero value.
const notMade = "the handler was not made by NewHandler"

var errHandlerNotMade = errors.New("fakegemini: " + notMade)

// ServeHTTP records a request and answers it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h == nil || h.front == nil {
		framing.WriteComplaint(w, "NOT_MADE", notMade)
		return
	}
	r, request, err := readInTime(w, r)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		http.Error(w, "the body did not arrive within "+bodyTime.String(), http.StatusRequestTimeout)
		return
	case errors.Is(err, received.ErrTooLarge):
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		return // The client has disconnected.
	}
	if h.keepsRequests {
		h.log.add(request)
	}
	// replies from a cassette are sent as recorded, each chunk at once
	if h.cassette != nil || request.Stream || streamsInteraction(request) {
		h.front.ServeHTTP(w, r)
		return
	}
	out, end := framing.Compress(w, r)
	h.front.ServeHTTP(out, r)
	end() // not after a panic, which ends the connection
}

// bodyTime is how long reading a body may take, so that a client that hangs does not keep the
// server from closing.
const bodyTime = 5 * time.Minute

// readInTime reads a request, with a deadline if the connection supports deadlines.
func readInTime(w http.ResponseWriter, r *http.Request) (*http.Request, *received.Request, error) {
	control := http.NewResponseController(w)
	hasDeadline := control.SetReadDeadline(time.Now().Add(bodyTime)) == nil
	out, request, err := received.Read(r)
	if hasDeadline && err == nil {
		_ = control.SetReadDeadline(time.Time{}) // a connection that fails here also fails below
	}
	return out, request, err
}

// Requests returns all requests so far, in the order of arrival.
func (h *Handler) Requests() []Request {
	if h == nil { // the server was not made by Start
		return nil
	}
	requests := h.log.all()
	out := make([]Request, len(requests))
	for i := range requests {
		out[i] = newRequest(&requests[i])
	}
	return out
}
