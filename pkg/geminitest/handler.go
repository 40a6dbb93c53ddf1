package geminitest

import (
	"errors"
	"net/http"

	"github.com/gemwire/gemwire/pkg/geminitest/internal/cassette"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/received"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/script"
)

// Request is one request as the server received it, with its keys and tokens replaced by "REDACTED".
type Request = received.Request

// Handler is the fake server as an [http.Handler], for a server of one's own. It is made by [NewHandler] and safe
// for concurrent use.
type Handler struct {
	log       requestLog
	forgetful bool // leaves the log empty
	script    *script.Player
	deck      *cassette.Deck // nil without a cassette
	rooms     http.Handler
}

// NewHandler returns a fake server that listens nowhere. [NewServer] is what a test wants.
//
// It fails when a script or cassette of the options cannot be used.
func NewHandler(opts ...Option) (*Handler, error) {
	var s settings
	for _, opt := range opts {
		opt(&s)
	}
	if s.err != nil {
		return nil, s.err
	}
	api := newAPI(&s)
	player, err := newPlayer(&s, api)
	if err != nil {
		return nil, err
	}
	api.entrance = player.Wrap(api)
	h := &Handler{forgetful: s.forgetful, script: player, rooms: api.entrance}
	if s.isRecorded {
		if h.deck, err = newDeck(&s); err != nil {
			return nil, err
		}
		h.rooms = h.deck
	}
	return h, nil
}

// ServeHTTP writes down a request and answers it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r, request, err := received.Read(r)
	switch {
	case errors.Is(err, received.ErrTooLarge):
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		return // The client is gone.
	}
	if !h.forgetful {
		h.log.add(request)
	}
	h.rooms.ServeHTTP(w, r)
}

// Requests returns all requests so far, in the order in which they came.
func (h *Handler) Requests() []Request { return h.log.all() }
