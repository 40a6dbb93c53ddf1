package models

import (
	"strings"
	"time"
)

// Model describes a model at a service and a time. The zero value describes nothing. A Model may be
// copied; copies share the lists in it, which must not be changed.
type Model struct {
	// Asked is the requested id, in lower case and without the collection: gemini-3.5-flash for
	// models/gemini-3.5-flash.
	Asked string
	// Name is the id of the model that answers. It equals Asked unless Route has a target.
	Name string
	// Family is the entry in the table that matches Name, such as gemini-2.5-flash for
	// gemini-2.5-flash-001. It is "" if no entry matches; Traits are then a guess.
	Family string
	// Route says why another model answers. Its zero value means that no other model answers.
	Route Route
	// Next is the next known change of Route, with its first day. Its zero value means that no
	// change is known.
	Next Route
	// Traits and Limits describe the model that answers.
	Traits Traits
	Limits Limits
	// Calls are the methods of the model that answers.
	Calls Calls
	// Lifecycle is the lifecycle of the requested model.
	Lifecycle Lifecycle

	when   time.Time
	served bool
}

// At returns the known facts about a model at a service and a time.
//
// The name is an id with or without a collection before it (models/, publishers/google/models/,
// projects/P/locations/L/...) and with or without a version after it (-preview, -001, @001,
// -09-2025). The longest matching name in the table wins: gemini-2.5-flash-lite-001 does not match
// gemini-2.5-flash, and neither does gemini-2.5-flash-native-audio. If an id only begins like the
// models of one generation, such as gemini-3.5-flash-mini, it has the common traits of these
// models.
//
// An unknown Gemini id has the traits of the newest models. A name without "gemini", and "", have
// all the abilities of the newest models but none of their refusals. Such a name often belongs to a
// server before Gemini, and may stand for any model. Neither has limits.
//
// BothBackends means that the service is unknown. The facts of Vertex AI then apply, because only
// the Gemini API answers for a model with another model.
func At(name string, service Backends, when time.Time) (m Model) {
	// the caller owns the memory, so that the stack does not hold two
	m.Asked, m.when, m.served = idOf(name), when, true
	on := dayOf(when)
	asked := find(m.Asked)
	m.Name = m.Asked
	m.Lifecycle = asked.at(service).life.on(on)
	if len(asked.at(service).routes) > 0 { // otherwise save the stack space
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

// IsKnown reports whether the table has an entry for the model that answers.
func (m *Model) IsKnown() bool { return m.Family != "" }

// IsServed reports whether the service is known to serve the model at the time. The table must have
// the model itself, not only its family, and the model must not be shut down without a replacement.
func (m *Model) IsServed() bool { return m.served }

// All returns all models and aliases whose ids the table knows, newest first, at a service and a
// time. It includes models that are not released yet or were shut down; use [Model.IsServed] and
// [Lifecycle.Released] to filter them. It omits families, which stand for models without a row of
// their own.
func All(service Backends, when time.Time) []Model {
	var out []Model
	for i := range entries {
		for _, id := range entries[i].ids {
			out = append(out, At(id, service, when))
		}
	}
	return out
}

// IDs returns the ids of all models and aliases in the table, newest first.
func IDs() []string {
	var out []string
	for i := range entries {
		out = append(out, entries[i].ids...)
	}
	return out
}

// IsGoogles reports whether a name looks like a Google model. The table has its id, it contains
// "gemini", or it names a resource with a custom id, such as tunedModels/mine or an endpoint.
func IsGoogles(model string) bool {
	isOwn := strings.HasPrefix(model, "tunedModels/") || strings.HasPrefix(model, "endpoints/") ||
		strings.Contains(model, "/endpoints/")
	return isOwn || find(idOf(model)) != &unknownModel
}

// Calls is a set of the methods of a model.
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

// Has reports whether the set contains all the given methods.
func (c Calls) Has(others Calls) bool { return c&others == others }
