package models

import "time"

// Route describes that another model answers for a name.
type Route struct {
	// Kind is the reason.
	Kind RouteKind
	// Target is the id of the model that answers.
	Target string
	// Since is the first day of the route, in UTC. It is zero if unknown.
	Since time.Time
	// Source is the source of the fact.
	Source Source
	// Confidence is the confidence of the fact.
	Confidence Confidence
}

// RouteKind is the reason why another model answers for a name.
type RouteKind string

// The kinds of routes. [RouteAlias] is a name such as gemini-flash-latest that is made to change.
// [RouteReplaced] is a model for which its successor answers.
const (
	RouteAlias    RouteKind = "alias"
	RouteReplaced RouteKind = "replaced"
)

// Source is the source of a fact.
type Source struct {
	Title string
	// URL is "" if there are several sources.
	URL string

	day day
}

// Date returns the date of the source.
func (s Source) Date() time.Time { return s.day.time() }

// Confidence is how certain a fact is.
type Confidence string

// The confidences, best first.
const (
	ConfidenceVendor     Confidence = "vendor"      // Google says so.
	ConfidenceThirdParty Confidence = "third_party" // Other sources quote Google, or measured it.
	// It is derived from similar models.
	ConfidenceInferred   Confidence = "inferred"
	ConfidenceUnverified Confidence = "unverified" // A guess that nothing contradicts.
)

// weakness orders the confidences. It is never modified.
var weakness = map[Confidence]int{ConfidenceVendor: 0, ConfidenceThirdParty: 1,
	ConfidenceInferred: 2, ConfidenceUnverified: 3}

// route is a row of the table. until is the last day, or 0.
type route struct {
	kind        RouteKind
	target      string
	from, until day
	source      *Source
	confidence  Confidence
}

func (r *route) exported() Route {
	return Route{Kind: r.kind, Target: r.target, Since: r.from.time(), Source: *r.source,
		Confidence: r.confidence}
}

// maxHops limits how many routes are followed: an alias of a model that was replaced, and one more.
const maxHops = 3

// routesOn returns the route of a name on a day, and the next one. It follows routes of the target.
// The result then has the latest start of the routes and the weakest confidence.
func (e *entry) routesOn(service Backends, on day) (now, next Route) {
	now, next = e.at(service).routesOn(on)
	if e.kind == kindAlias && now.Target == "" && len(e.at(service).routes) > 0 {
		now = e.at(service).routes[0].exported() // its earlier target is unknown
	}
	for range maxHops {
		if now.Target == "" {
			break
		}
		further, change := find(now.Target).at(service).routesOn(on)
		if change.Target != "" && (next.Target == "" || change.Since.Before(next.Since)) {
			change.Kind = now.Kind
			next = change
		}
		if further.Target == "" {
			break
		}
		now.Target = further.Target
		if further.Since.After(now.Since) {
			now.Since, now.Source = further.Since, further.Source
		}
		if weakness[further.Confidence] > weakness[now.Confidence] {
			now.Confidence = further.Confidence
		}
	}
	return now, next
}

func (s *atService) routesOn(on day) (now, next Route) {
	for i := range s.routes {
		switch r := &s.routes[i]; {
		case r.from <= on && (r.until == 0 || on <= r.until):
			now = r.exported()
		case r.from > on && next.Target == "":
			next = r.exported()
		}
	}
	return now, next
}
