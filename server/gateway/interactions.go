package gateway

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/internal/background"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/interaction"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-chi/chi/v5"
)

// interactionWay returns what interactions depend on apart from their requests.
func (c *call) interactionWay() interaction.Way {
	if c.responseStore == nil {
		return interaction.Way{}
	}
	way := c.responseWay()
	return interaction.Way{History: way.History, IsUnderWay: way.IsUnderWay, Hold: way.Hold,
		Clean: way.Clean, NotKept: way.NotKept}
}

// missingInteraction is the problem of a request that continues an interaction that is not stored.
func (c *call) missingInteraction(err error) *problem.Problem {
	const at = "/previous_interaction_id"
	if errors.Is(err, history.ErrUnfinished) {
		return problem.Invalid("", at, at+": the interaction has not ended yet")
	}
	if missing, ok := errors.AsType[*history.MissingError](err); ok {
		return notKept(at,
			at+": interaction "+missing.ID+" not found; it does not exist or was deleted")
	}
	return c.missing(err)
}

// interactionServer serves the stored interactions of a form.
type interactionServer struct {
	*setup
	form form
}

// interactionRoutes adds the paths of stored interactions. They replace Google's own paths. Only
// interactions of agents are looked for at Google.
func interactionRoutes(router chi.Router, s *setup, f *transform.Form) {
	server := interactionServer{setup: s, form: formOf(f, "kept_interactions")}
	for _, path := range f.Paths {
		router.HandleFunc(path, server.refuse)
		router.HandleFunc(path+"/*", server.refuse)
		router.Get(path+"/{id}", server.retrieve)
		router.Delete(path+"/{id}", server.delete)
		router.Post(path+"/{id}/cancel", server.cancel)
	}
}

// refuse answers paths that Google does not have either.
func (s interactionServer) refuse(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &s.form, func(*call) *problem.Problem { return problem.NotServed(r) })
}

// serveKept answers a request for a stored interaction. Without a store nothing is found, apart
// from interactions of agents, which Google stores.
func (s interactionServer) serveKept(w http.ResponseWriter, r *http.Request,
	answer func(c *call, kept *history.History, id string) *problem.Problem) {
	s.serve(w, r, &s.form, func(c *call) *problem.Problem {
		id := pathParameter(r, "id")
		switch {
		case c.isGoogles(id):
			streams, p := flagOf(r.URL.Query().Get("stream"), "stream")
			if p != nil {
				return p
			}
			return c.passInteraction(id, streams)
		case c.responseStore == nil:
			return notStored(id)
		case !history.KindInteraction.Names(id):
			return c.noInteraction(responsestore.ErrNotFound, id)
		default:
			return answer(c, c.history(), id)
		}
	})
}

// noInteraction is the problem of an interaction that could not be read from the store.
func (c *call) noInteraction(err error, id string) *problem.Problem {
	return c.notFound(err, string(history.KindInteraction), id)
}

// retrieve returns a stored interaction, or its events.
func (s interactionServer) retrieve(w http.ResponseWriter, r *http.Request) {
	s.serveKept(w, r, func(c *call, kept *history.History, id string) *problem.Problem {
		query := r.URL.Query()
		streams, p := flagOf(query.Get("stream"), "stream")
		if p != nil {
			return p
		}
		withInput, p := flagOf(query.Get("include_input"), "include_input")
		if p != nil {
			return p
		}
		if streams {
			return c.followInteraction(kept, id, query.Get("last_event_id"))
		}
		return c.writeInteraction(kept, id, withInput)
	})
}

// flagOf reads a parameter that is true or false. It is false by default.
func flagOf(text, name string) (bool, *problem.Problem) {
	if text == "" {
		return false, nil
	}
	flag, err := strconv.ParseBool(text)
	if err != nil {
		return false, problem.Invalid("", "/"+name, name+": must be true or false")
	}
	return flag, nil
}

// delete deletes an interaction. If the interaction is in progress, delete ends it, because its
// result could not be read.
func (s interactionServer) delete(w http.ResponseWriter, r *http.Request) {
	s.serveKept(w, r, func(c *call, kept *history.History, id string) *problem.Problem {
		if p := c.endRun(kept, id, errDeleted); p != nil {
			return p
		}
		if err := kept.Store.Delete(r.Context(), kept.Owner, id); err != nil {
			return c.noInteraction(err, id)
		}
		c.writeWhole(http.StatusOK, []byte("{}"))
		return nil
	})
}

// cancel cancels an interaction that runs in the background. An interaction that has ended stays
// unchanged.
func (s interactionServer) cancel(w http.ResponseWriter, r *http.Request) {
	s.serveKept(w, r, func(c *call, kept *history.History, id string) *problem.Problem {
		if p := c.endRun(kept, id, errCanceled); p != nil {
			return p
		}
		return c.writeInteraction(kept, id, false)
	})
}

// endRun ends what runs in the background, if it does, and waits for the end.
func (c *call) endRun(kept *history.History, id string, cause error) *problem.Problem {
	run := c.runs.Find(kept.Owner, id)
	if run == nil {
		return nil
	}
	run.Cancel(cause)
	if err := run.Wait(c.request.Context()); err != nil {
		return c.failed(err)
	}
	return nil
}

// interactionOf returns a stored interaction in its current state, with its input.
func (c *call) interactionOf(kept *history.History,
	id string) (*interactionsapi.Interaction, *problem.Problem) {
	document, err := kept.Store.Get(c.request.Context(), kept.Owner, id)
	if err != nil {
		return nil, c.noInteraction(err, id)
	}
	body, err := c.current(kept, document, interactionState)
	if err != nil {
		return nil, c.noInteraction(err, id)
	}
	stored, err := interactions.DecodeResponse(body)
	if err != nil {
		return nil, c.failed(err)
	}
	return stored, nil
}

// interactionState returns the state of an interaction that has not ended in the store. An
// interaction that was in progress when the gateway ended has failed.
func interactionState(stored []byte, run *background.Run) ([]byte, error) {
	if run != nil {
		return stored, nil
	}
	in, err := interactions.DecodeResponse(stored)
	if err != nil {
		return nil, err
	}
	in.Status = interactionsapi.InteractionStatusFailed
	in.Errors = []interactionsapi.Error{interactions.ErrorBody(interactions.CodeInternal,
		"the gateway stopped before the interaction had ended").Error}
	return interactions.EncodeResponse(in)
}

// writeInteraction answers with a stored interaction. As in Google's answers, its steps begin with
// what the user said.
func (c *call) writeInteraction(kept *history.History, id string,
	withInput bool) *problem.Problem {
	stored, p := c.interactionOf(kept, id)
	if p != nil {
		return p
	}
	stored.Steps = slices.Concat(userSteps(stored.Input), stored.Steps)
	if !withInput {
		stored.Input = interactions.Input{}
	}
	return c.writeJSON(func(dst []byte) ([]byte, error) {
		return interactions.AppendResponse(dst, stored)
	})
}

// userSteps returns the steps of type user_input with which an input begins.
func userSteps(in interactions.Input) []interactionsapi.Step {
	steps := history.InputSteps(in)
	n := 0
	for n < len(steps) && steps[n].Type == interactionsapi.StepTypeUserInput {
		n++
	}
	return steps[:n]
}

// interactionStream is how the Interactions API writes stored events.
var interactionStream = keptStream{name: interactionEventName,
	end: eventtext.Name + "done\n" + eventtext.DoneMark}

func interactionEventName(data []byte) (string, error) {
	event, err := interactions.DecodeEvent(data)
	if err != nil {
		return "", err
	}
	return string(event.EventType), nil
}

// followInteraction sends the events of an interaction that follow the event with an id, as they
// arrive. The id of an event is its number. An interaction that was not streamed has the events
// that it would have had.
func (c *call) followInteraction(kept *history.History, id, after string) *problem.Problem {
	from := 0
	if after != "" {
		n, err := strconv.Atoi(after)
		if err != nil || n < 0 {
			return problem.Invalid("", "/last_event_id",
				"last_event_id: must be the event_id of an event of this interaction")
		}
		from = n
	}
	if run := c.runs.Find(kept.Owner, id); run != nil {
		return c.followRun(run, from, interactionStream)
	}
	stored, _, err := kept.Store.Entries(c.request.Context(), kept.Owner, id, responsestore.Events,
		responsestore.Page{})
	if err != nil {
		return c.noInteraction(err, id)
	}
	events := entryData(stored)
	if len(events) == 0 {
		whole, p := c.interactionOf(kept, id)
		if p != nil {
			return p
		}
		whole.Input = interactions.Input{}
		if events, err = encodeEvents(interactions.Events(whole)); err != nil {
			return c.failed(err)
		}
	}
	return c.replay(events[min(from, len(events)):], interactionStream)
}

func encodeEvents(events []interactionsapi.StreamEvent) ([][]byte, error) {
	out := make([][]byte, len(events))
	for i := range events {
		var err error
		if out[i], err = interactions.EncodeEvent(&events[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
