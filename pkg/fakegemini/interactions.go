package fakegemini

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-chi/chi/v5"
)

// interactionBases are the prefixes of the paths of interactions, of the Gemini API and of Vertex
// AI.
var interactionBases = []string{
	"/{version}",
	"/{version}/projects/{project}/locations/{location}",
}

// routeInteractions adds the paths of the Interactions API.
func (a *api) routeInteractions(router chi.Router) {
	for _, base := range interactionBases {
		router.Post(base+"/interactions", a.createInteraction)
		router.Get(base+"/interactions/{id}", a.getInteraction)
		router.Delete(base+"/interactions/{id}", a.deleteInteraction)
		router.Post(base+"/interactions/{id}/cancel", a.cancelInteraction)
	}
}

// createInteraction answers with an interaction or its events. The script and the checks of
// generateContent make the answer, so that each fixture also answers interactions.
func (a *api) createInteraction(w http.ResponseWriter, r *http.Request) {
	run, err := a.interactionRun(r)
	if err != nil {
		refuseInteraction(w, err)
		return
	}
	switch {
	case jsonx.Deref(run.request.Background):
		a.runInBackground(w, run)
	case jsonx.Deref(run.request.Stream):
		a.streamInteraction(w, run)
	default:
		a.wholeInteraction(w, run)
	}
}

// streamsInteraction reports whether a request asks for the events of an interaction.
func streamsInteraction(r *received.Request) bool {
	_, after, ok := strings.Cut(r.Resource, "interactions")
	switch {
	case !ok || after != "" && after[0] != '/':
		return false
	case r.Method == http.MethodGet:
		return r.URL.Query().Get("stream") == "true"
	default:
		return string(jsonx.Member(r.Body, "stream")) == "true"
	}
}

// interactionRun is a request for an interaction that was accepted.
type interactionRun struct {
	http     *http.Request
	received *received.Request
	request  *interactionsapi.CreateInteractionRequest
	history  []interactionsapi.Step // of the interactions that this one continues
	id       string                 // "" if it is not stored
	created  time.Time
}

// isStored reports whether the interaction is stored, which is the default of the API.
func (r *interactionRun) isStored() bool {
	return r.request.Store == nil || *r.request.Store
}

// interactionRun reads a request. The error is an *[interactions.Error].
func (a *api) interactionRun(r *http.Request) (*interactionRun, error) {
	in := received.From(r)
	request, err := interactions.DecodeRequest(in.Body)
	if err != nil {
		return nil, invalidInteraction("Invalid JSON payload received. " + err.Error())
	}
	if err := checkInteraction(request, in.Backend == models.VertexAI); err != nil {
		return nil, err
	}
	run := &interactionRun{http: r, received: in, request: request, created: a.settings.now()}
	if request.Model != nil && !a.catalog.HasInteractions(*request.Model, in.Backend) {
		return nil, failedInteraction(interactions.CodeModelNotFound,
			"Model '"+*request.Model+"' not found.")
	}
	if id := request.PreviousInteractionID; id != nil {
		before, ok := a.interactions.Get(*id)
		if !ok {
			return nil, failedInteraction(interactions.CodeNotFound,
				"Interaction '"+*id+"' not found.")
		}
		run.history = before.conversation()
	}
	if run.isStored() {
		part := a.interactions.NewID(responseIDLength)
		run.id = interactions.NewID(part, part)
	}
	return run, nil
}

// responseIDLength is the length of the ids of Google's answers.
const responseIDLength = 23

// checkInteraction refuses what Google refuses.
func checkInteraction(r *interactionsapi.CreateInteractionRequest, isVertexAI bool) error {
	for name := range jsonx.Members(r.Unknown) {
		return unknownParameter(name, "")
	}
	if config := r.GenerationConfig; config != nil {
		for name := range jsonx.Members(config.Unknown) {
			return unknownParameter(name, "generation_config")
		}
	}
	if r.CachedContent != nil {
		return unknownParameter("cached_content", "")
	}
	var opts []interactions.ValidateOption
	if isVertexAI {
		opts = append(opts, interactions.ForVertexAI())
	}
	invalid, ok := errors.AsType[*validation.Error](interactions.ValidateRequest(r, opts...))
	if !ok {
		return nil
	}
	i := slices.IndexFunc(invalid.Violations, func(v validation.Violation) bool {
		return v.Severity == validation.SeverityError
	})
	if i < 0 {
		return nil
	}
	v := invalid.Violations[i]
	if v.Pointer == "/input" && v.Rule == "required" {
		return invalidInteraction("Request has empty input.")
	}
	return invalidInteraction("Invalid input at '" + jsonx.ParamOf(v.Pointer) + "': " + v.Want +
		".")
}

func unknownParameter(name, at string) error {
	text := "Unknown parameter '" + name + "'"
	if at != "" {
		text += " at '" + at + "'"
	}
	return failedInteraction(interactions.CodeParameterUnknown, text+".")
}

func invalidInteraction(message string) error {
	return failedInteraction(interactions.CodeInvalidRequest, message)
}

func failedInteraction(code, message string) error {
	return &interactions.Error{Response: *interactions.ErrorBody(code, message)}
}

// refuseInteraction writes an error of the Interactions API.
func refuseInteraction(w http.ResponseWriter, err error) {
	failed, ok := errors.AsType[*interactions.Error](err)
	if !ok {
		failed = &interactions.Error{Response: *interactions.ErrorBody(interactions.CodeInternal,
			err.Error())}
	}
	body, err := interactions.EncodeErrorResponse(&failed.Response)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = framing.WriteCompact(w, interactions.StatusOf(failed.Code()), body)
}

// writeInteraction writes a whole answer, or an error as JSON.
func writeInteraction(w http.ResponseWriter, payload []byte, err error) {
	if err != nil {
		refuseInteraction(w, err)
		return
	}
	// fails if the client has disconnected
	_ = framing.WriteCompact(w, http.StatusOK, payload)
}

// getInteraction answers with a stored interaction, or with its events.
func (a *api) getInteraction(w http.ResponseWriter, r *http.Request) {
	stored, err := a.storedInteraction(r)
	if err != nil {
		refuseInteraction(w, err)
		return
	}
	query := r.URL.Query()
	if query.Get("stream") == "true" {
		replayInteraction(w, stored, query.Get("last_event_id"))
		return
	}
	a.progress(stored)
	out := stored.state()
	if query.Get("include_input") == "true" {
		out.Input = stored.input
	}
	payload, err := interactions.EncodeResponse(out)
	writeInteraction(w, payload, err)
}

// storedInteraction returns the interaction of a path.
func (a *api) storedInteraction(r *http.Request) (*storedInteraction, error) {
	id := chi.URLParam(r, "id")
	stored, ok := a.interactions.Get(id)
	if !ok {
		return nil, failedInteraction(interactions.CodeNotFound, "Interaction '"+id+"' not found.")
	}
	return stored, nil
}

// deleteInteraction deletes a stored interaction.
func (a *api) deleteInteraction(w http.ResponseWriter, r *http.Request) {
	if _, err := a.storedInteraction(r); err != nil {
		refuseInteraction(w, err)
		return
	}
	a.interactions.Delete(chi.URLParam(r, "id"))
	writeInteraction(w, []byte("{}"), nil)
}

// cancelInteraction cancels an interaction that runs in the background.
func (a *api) cancelInteraction(w http.ResponseWriter, r *http.Request) {
	stored, err := a.storedInteraction(r)
	if err != nil {
		refuseInteraction(w, err)
		return
	}
	if !stored.cancel() {
		refuseInteraction(w, failedInteraction(interactions.CodeFailedPrecondition,
			"Interaction '"+chi.URLParam(r, "id")+"' is not running in the background."))
		return
	}
	payload, err := interactions.EncodeResponse(stored.state())
	writeInteraction(w, payload, err)
}

// replayInteraction streams the events of a stored interaction that follow the event with an id.
// Without an id it streams all events.
func replayInteraction(w http.ResponseWriter, stored *storedInteraction, last string) {
	events := stored.eventsSoFar()
	if last != "" {
		i := slices.IndexFunc(events, func(e interactionsapi.StreamEvent) bool {
			return jsonx.Deref(e.EventID) == last
		})
		if i < 0 {
			refuseInteraction(w, invalidInteraction("Invalid input at 'last_event_id'."))
			return
		}
		events = events[i+1:]
	}
	beginEvents(w)
	_ = interactions.NewStreamWriter(w).Write(events...) // fails if the client has disconnected
}

// beginEvents writes the header of an event stream.
func beginEvents(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
}

// numberEvents gives events ids, from the number of earlier events on.
func numberEvents(events []interactionsapi.StreamEvent, before int) {
	for i := range events {
		events[i].EventID = new(strconv.Itoa(before + i + 1))
	}
}

// innerPath returns the path of generateContent for the model of an interaction.
func innerPath(r *received.Request, model, method string) string {
	folder := strings.TrimSuffix(r.Resource, "interactions")
	if r.Backend == models.VertexAI {
		folder += "publishers/google/"
	}
	return "/" + r.Version + "/" + folder + "models/" + cmp.Or(model, agentModel) + ":" + method
}

// agentModel is the model that answers for agents, which the fake server has no others for.
const agentModel = models.Default
