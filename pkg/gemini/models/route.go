package models

import "time"

// Route says that a name is answered by another model.
type Route struct {
	// Kind is why.
	Kind RouteKind
	// Target is the id of the model that answers.
	Target string
	// Since is the first day of the route, in UTC. It is zero where that is not known.
	Since time.Time
	// Source is where it says so.
	Source Source
	// Confidence is how well that is known.
	Confidence Confidence
}

// RouteKind is why a name is answered by another model.
type RouteKind string

// The kinds. [RouteAlias] is a name such as gemini-flash-latest that is made to be moved on.
// [RouteReplaced] is a model whose name is answered by its successor.
const (
	RouteAlias    RouteKind = "alias"
	RouteReplaced RouteKind = "replaced"
)

// Source is where a fact is from.
type Source struct {
	Title string
	// URL is "" where several places say so.
	URL string

	day day
}

// Date returns when the source said so.
func (s Source) Date() time.Time { return s.day.time() }

// Confidence is how well a fact is known.
type Confidence string

// The confidences, the best first.
const (
	ConfidenceVendor     Confidence = "vendor"      // Google says so.
	ConfidenceThirdParty Confidence = "third_party" // Others quote Google, or measured it.
	// It follows from what is known of its relatives.
	ConfidenceInferred   Confidence = "inferred"
	ConfidenceUnverified Confidence = "unverified" // A guess that nothing contradicts.
)

// weakness orders the confidences. It is never written to.
var weakness = map[Confidence]int{ConfidenceVendor: 0, ConfidenceThirdParty: 1,
	ConfidenceInferred: 2, ConfidenceUnverified: 3}

// route is a row of the table. until is the last day, 0 for none.
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

// maxHops bounds how many routes follow each other: an alias of a model that was replaced, and one
// more.
const maxHops = 3

// routesOn returns the route of a name on a day, and the next one. A target that is itself routed
// is followed: the result then is as old as the youngest of the routes, and as well known as the
// least known.
func (e *entry) routesOn(service Backends, on day) (now, next Route) {
	now, next = e.at(service).routesOn(on)
	if e.kind == kindAlias && now.Target == "" && len(e.at(service).routes) > 0 {
		now = e.at(service).routes[0].exported() // what it stood for before is not known
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
