package models

import (
	"strings"
	"time"
)

// Model is what is known of a model at a service and a time. The zero value knows nothing. It may
// be copied; the lists that its members point to are shared and must not be changed.
type Model struct {
	// Asked is the id that was asked for, in lower case and without the collection before it:
	// gemini-3.5-flash for models/gemini-3.5-flash.
	Asked string
	// Name is the id of the model that answers. It is Asked unless Route says otherwise.
	Name string
	// Family is the name in the table that Name was found by, such as gemini-2.5-flash for
	// gemini-2.5-flash-001. It is "" when the table has none: Traits then are a guess.
	Family string
	// Route says why another model answers. Its zero value means that none does.
	Route Route
	// Next is the next change of Route that is known, with the day on which it begins. Its zero
	// value means none.
	Next Route
	// Traits are what the model that answers takes, and Limits how many tokens.
	Traits Traits
	Limits Limits
	// Calls are the methods that the model that answers is called by.
	Calls Calls
	// Lifecycle is how long the model that was asked for is offered.
	Lifecycle Lifecycle

	when   time.Time
	served bool
}

// At returns what is known of a model at a service and a time.
//
// The name is an id with or without the collection before it (models/, publishers/google/models/,
// projects/P/locations/L/...) and a version after it (-preview, -001, @001, -09-2025). The longest
// name of the table that fits counts: gemini-2.5-flash-lite-001 is no gemini-2.5-flash, and neither
// is gemini-2.5-flash-native-audio. An id that only begins like the models of one generation, such
// as gemini-3.5-flash-mini, has what these have in common.
//
// An id of Gemini's that the table does not know has the traits of the newest models. A name that
// does not say gemini, and "", take all that those take, but refuse nothing: they often are names
// by which a server before Gemini is asked, and may stand for any model. Neither has limits.
//
// BothBackends stands for a service that is not known. What is known of Vertex AI counts then: only
// the Gemini API answers a model's name by another model.
func At(name string, service Backends, when time.Time) (m Model) {
	// the memory is the caller's, so that the stack does not hold two
	m.Asked, m.when, m.served = idOf(name), when, true
	on := dayOf(when)
	asked := find(m.Asked)
	m.Name = m.Asked
	m.Lifecycle = asked.at(service).life.on(on)
	if len(asked.at(service).routes) > 0 { // else there are none, and the stack need not hold them
		m.Route, m.Next = asked.routesOn(service, on)
	}
	answering := asked
	if m.Route.Target != "" {
		m.Name = m.Route.Target
		answering = find(m.Name)
	}
	if answering.kind != kindUnknown {
		m.Family = answering.name
	}
	m.Traits = *answering.traitsOn(on)
	m.Limits = answering.at(service).limitsOn(on)
	m.Calls = answering.calls
	isElsewhere := answering.only != 0 && service != BothBackends && answering.only != service
	isOwn := answering.kind == kindModel || answering.kind == kindAlias
	m.served = isOwn && !isElsewhere &&
		(m.Route.Kind == RouteReplaced || m.Lifecycle.Stage != StageShutDown)
	return m
}

// IsKnown reports whether the table has the model that answers.
func (m *Model) IsKnown() bool { return m.Family != "" }

// IsServed reports whether the service is known to answer for the model at the time: the table has
// the model itself and not only its family, and it was not shut down without another one in its
// place.
func (m *Model) IsServed() bool { return m.served }

// All returns all models and aliases that the table knows by their ids, the newest first, as they
// are at a service and a time. Those that are not released yet or were shut down are among them;
// [Model.IsServed] and [Lifecycle.Released] distinguish them. Families, which stand for models
// without a row of their own, are left out.
func All(service Backends, when time.Time) []Model {
	var out []Model
	for i := range entries {
		for _, id := range entries[i].ids {
			out = append(out, At(id, service, when))
		}
	}
	return out
}

// IDs returns the ids of all models and aliases that the table knows, the newest first.
func IDs() []string {
	var out []string
	for i := range entries {
		out = append(out, entries[i].ids...)
	}
	return out
}

// IsGoogles reports whether a name looks like that of a model of Google: the table knows its id, it
// says gemini, or it names a resource whose id its owner chose, such as tunedModels/mine or an
// endpoint.
func IsGoogles(model string) bool {
	isOwn := strings.HasPrefix(model, "tunedModels/") || strings.HasPrefix(model, "endpoints/") ||
		strings.Contains(model, "/endpoints/")
	return isOwn || find(idOf(model)) != &unknownModel
}

// Calls is a set of methods that a model is called by.
type Calls uint8

// The methods.
const (
	CallGenerate     Calls = 1 << iota // generateContent and streamGenerateContent
	CallEmbed                          // embedContent
	CallLive                           // the Live API
	CallInteractions                   // the Interactions API
	CallPredict                        // predict and predictLongRunning
	CallAnswer                         // generateAnswer
)

// Has reports whether all of some methods are in the set.
func (c Calls) Has(others Calls) bool { return c&others == others }
