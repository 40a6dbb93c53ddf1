package main

import (
	"cmp"
	"slices"
	"strings"
)

// compare walks the operations of ours and their counterparts in theirs. Each schema is reported once, at
// the first place where it is reached: operations in our order, nearest places first.
func compare(ours, theirs *document) (*report, error) {
	c := &comparison{
		ours:       newReader(ours),
		theirs:     newReader(theirs),
		visited:    map[string]bool{},
		missing:    map[string]*finding{},
		onlyOurs:   map[string]*ourFinding{},
		shared:     map[string]bool{},
		components: map[string]string{},
	}
	c.operations()
	r := c.report()
	return r, cmp.Or(ours.err, theirs.err)
}

// comparison is the state of one walk.
type comparison struct {
	ours, theirs *reader
	queue        []pair
	visited      map[string]bool        // pairs of canonical schemas, by their identities
	missing      map[string]*finding    // by the owner and what it lacks
	onlyOurs     map[string]*ourFinding // by what may be only ours
	shared       map[string]bool        // what they have too, by the same identity as in ourFinding
	notes        []finding
	components   map[string]string // see report
}

// pair is a value that both documents describe, each by the alternatives that it can have there.
type pair struct {
	location
	ours, theirs []*value
}

// ourFinding is what we have and they were not seen to have so far.
type ourFinding struct {
	finding
	ids []string // it is theirs too when any of these is shared
}

// operations compares each operation of ours with its counterpart.
func (c *comparison) operations() {
	theirs := c.theirs.document.operations()
	for _, o := range c.ours.document.operations() {
		t, found := o.counterpart(theirs)
		if !found {
			f := finding{location: location{operation: o.name}, kind: wholeOperation, name: o.method + " " + o.path}
			c.addOurs(f, o.value.pointer)
			continue
		}
		c.parameters(o, t)
		c.bodies(o, request, o.body(request), t.body(request))
		c.bodies(o, response, o.body(response), t.body(response))
		for len(c.queue) > 0 { // nearest first
			next := c.queue[0]
			c.queue = c.queue[1:]
			c.visit(next)
		}
	}
}

// parameters compares path parameters by their position, whatever their names, and all others by name.
func (c *comparison) parameters(o, t operation) {
	left := o.parameters()
	for _, p := range t.parameters() {
		var own *parameter
		if i := slices.IndexFunc(left, p.matches); i >= 0 {
			own = new(left[i])
			left = slices.Delete(left, i, i+1)
		}
		c.parameter(o, own, p)
	}
	for _, p := range left {
		f := finding{location: parameterLocation(o, p), kind: missingParameter}
		c.addOurs(f, o.value.pointer+" "+f.path)
	}
}

func (c *comparison) parameter(o operation, own *parameter, p parameter) {
	at := parameterLocation(o, p)
	switch {
	case own != nil && own.schema != nil && p.schema != nil:
		c.enqueue(at, []*value{own.schema}, []*value{p.schema})
	case own != nil:
	case strings.HasPrefix(p.name, "$"):
		// Google marks so what every one of its APIs takes (alt, callback, prettyPrint, .xgafv).
		c.note(at, "parameter of the vendor's whole platform, not demanded")
	default:
		f := finding{location: at, kind: missingParameter}
		if p.schema != nil {
			f.detail = c.theirs.describe(p.schema)
		}
		c.addMissing(owner{key: o.value.pointer + " " + p.in, values: []*value{o.value}}, f)
	}
}

func parameterLocation(o operation, p parameter) location {
	return location{operation: o.name, direction: request, path: p.in + ":" + p.name}
}

// bodies pairs the schemas of a request or a response by media type. What one side only describes as JSON
// and the other only as an event stream is the same message in another frame.
func (c *comparison) bodies(o operation, d direction, ours, theirs content) {
	at := location{operation: o.name, direction: d, path: "/"}
	lacking := owner{key: o.value.pointer + " " + string(d), values: []*value{o.value}}
	c.body(at, lacking, firstOf(ours.json, ours.eventStream), theirs.json)
	c.body(at, lacking, firstOf(ours.eventStream, ours.json), theirs.eventStream)
	if own := firstOf(ours.json, ours.eventStream); own != nil && firstOf(theirs.json, theirs.eventStream) == nil {
		c.addOurs(finding{location: at, kind: wholeBody, schema: schemaName(own)}, own.pointer)
	}
}

func (c *comparison) body(at location, lacking owner, ours, theirs *value) {
	switch {
	case theirs == nil:
	case ours == nil:
		c.addMissing(lacking, finding{location: at, kind: wholeBody, detail: c.theirs.describe(theirs)})
	default:
		c.enqueue(at, []*value{ours}, []*value{theirs})
	}
}

func firstOf(a, b *value) *value {
	if a != nil {
		return a
	}
	return b
}

func (c *comparison) enqueue(at location, ours, theirs []*value) {
	if len(ours) > 0 && len(theirs) > 0 {
		c.queue = append(c.queue, pair{location: at, ours: ours, theirs: theirs})
	}
}

// visit compares a pair unless the same schemas have met before.
func (c *comparison) visit(p pair) {
	p.ours, p.theirs = c.ours.canonicalSet(p.ours), c.theirs.canonicalSet(p.theirs)
	key := identity(p.ours) + " = " + identity(p.theirs)
	if c.visited[key] {
		return
	}
	c.visited[key] = true
	v := &visit{pair: p, c: c, key: identity(p.ours), schema: schemaName(p.ours...)}
	v.o, v.t = c.ours.shapeOf(p.ours...), c.theirs.shapeOf(p.theirs...)
	v.compare()
}

// addMissing reports what an owner lacks, once for each owner: what another schema of theirs says of the
// same thing is added to the first finding.
func (c *comparison) addMissing(o owner, f finding) {
	if reason := o.accepts(f); reason != "" {
		f.detail = "" // what ours has in its place matters little
		c.note(f.location, f.what()+", accepted: "+reason)
		return
	}
	key := strings.Join([]string{o.key, string(f.kind), f.subject()}, " ")
	if first := c.missing[key]; first != nil {
		first.theirs = addOnce(first.theirs, f.theirs...)
		return
	}
	c.missing[key] = &f
}

// acceptedDrift is the extension with which a schema or operation of ours says what it lacks on purpose,
// by name, and why.
const acceptedDrift = "x-accepted-drift"

// owner is what lacks something: a set of schemas, or an operation.
type owner struct {
	key    string
	values []*value // that may carry x-accepted-drift
}

// accepts returns the reason for which the owner lacks what f reports, "" when it gives none.
func (o owner) accepts(f finding) string {
	for _, v := range o.values {
		if reason := v.get(acceptedDrift).get(f.subject()).str(); reason != "" {
			return reason
		}
	}
	return ""
}

// addOurs remembers what only we may have. It is dropped in the end when one of its ids was shared.
func (c *comparison) addOurs(f finding, ids ...string) {
	key := strings.Join(ids, " ")
	if c.onlyOurs[key] == nil {
		c.onlyOurs[key] = &ourFinding{finding: f, ids: ids}
	}
}

func (c *comparison) addShared(ids ...string) {
	for _, id := range ids {
		c.shared[id] = true
	}
}

// note adds a note unless another operation has the same at the same path.
func (c *comparison) note(at location, text string) {
	same := func(n finding) bool { return n.path == at.path && n.kind == kind(text) }
	if !slices.ContainsFunc(c.notes, same) {
		c.notes = append(c.notes, finding{location: at, kind: kind(text)})
	}
}

func (c *comparison) report() *report {
	r := &report{notes: c.notes, components: c.components}
	for _, f := range c.missing {
		r.missing = append(r.missing, *f)
	}
	for _, f := range c.onlyOurs {
		if slices.ContainsFunc(f.ids, func(id string) bool { return c.shared[id] }) {
			continue
		}
		if f.kind == namedProperty {
			f.detail = c.ours.describe(f.ours...)
		}
		r.onlyOurs = append(r.onlyOurs, f.finding)
	}
	slices.SortFunc(r.missing, finding.compare)
	slices.SortFunc(r.onlyOurs, finding.compare)
	slices.SortFunc(r.notes, finding.compare)
	return r
}
