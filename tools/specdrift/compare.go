package main

import (
	"cmp"
	"slices"
	"strings"
)

// compare walks the operations of our document and their counterparts in the other document. It
// reports each schema once, at the first place where it is reached. It visits the operations in our
// order, and near places first.
func compare(ours, theirs *document) (*report, error) {
	c := &comparison{
		ours:       newReader(ours),
		theirs:     newReader(theirs),
		visited:    map[string]bool{},
		missing:    map[string]*finding{},
		onlyOurs:   map[string]finding{},
		shared:     map[string]bool{},
		components: map[string]string{},

		theirsHasIntegers: theirs.root.namesType(integerType),
	}
	c.operations()
	r := c.report()
	return r, cmp.Or(ours.err, theirs.err)
}

// comparison is the state of one walk.
type comparison struct {
	ours, theirs *reader
	queue        []pair
	visited      map[string]bool     // pairs of canonical schemas, by their identities
	missing      map[string]*finding // by the owner and what it lacks
	onlyOurs     map[string]finding  // by the identities of what may be only ours
	shared       map[string]bool     // identities of what they have too
	notes        []finding
	components   map[string]string // see report
	// theirsHasIntegers reports whether the vendor's document uses the type integer at all. In a
	// document made from JavaScript types, an integer is a number.
	theirsHasIntegers bool
}

// pair is a value that both documents describe. Each describes it by alternatives.
type pair struct {
	location
	ours, theirs []*value
}

// operations compares each operation of ours with its counterpart.
func (c *comparison) operations() {
	theirs := c.theirs.document.operations()
	for _, o := range c.ours.document.operations() {
		t, found := o.counterpart(theirs)
		if !found {
			f := finding{location: location{operation: o.name}, kind: wholeOperation,
				name: o.method + " " + o.path}
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

// parameters compares path parameters by position, and all others by name.
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
		// Google marks the parameters that all its APIs accept in this way (alt, callback,
		// prettyPrint, .xgafv).
		c.note(at, "parameter of the vendor's whole platform, not demanded")
	default:
		f := finding{location: at, kind: missingParameter}
		if p.schema != nil {
			f.detail = c.theirs.describe(p.schema)
		}
		c.addMissing(o.value.pointer+" "+p.in, []*value{o.value}, f)
	}
}

func parameterLocation(o operation, p parameter) location {
	return location{operation: o.name, direction: request, path: p.in + ":" + p.name}
}

// bodies pairs the schemas of a request or a response by media type. If one document describes a
// message only as JSON and the other only as an event stream, it is the same message.
func (c *comparison) bodies(o operation, d direction, ours, theirs content) {
	at := location{operation: o.name, direction: d, path: "/"}
	c.body(at, o, cmp.Or(ours.json, ours.eventStream), theirs.json)
	c.body(at, o, cmp.Or(ours.eventStream, ours.json), theirs.eventStream)
	if own := cmp.Or(ours.json, ours.eventStream); own != nil &&
		cmp.Or(theirs.json, theirs.eventStream) == nil {
		c.addOurs(finding{location: at, kind: wholeBody, schema: schemaName(own)}, own.pointer)
	}
}

func (c *comparison) body(at location, o operation, ours, theirs *value) {
	switch {
	case theirs == nil:
	case ours == nil:
		f := finding{location: at, kind: wholeBody, detail: c.theirs.describe(theirs)}
		c.addMissing(o.value.pointer+" "+string(at.direction), []*value{o.value}, f)
	default:
		c.enqueue(at, []*value{ours}, []*value{theirs})
	}
}

func (c *comparison) enqueue(at location, ours, theirs []*value) {
	if len(ours) > 0 && len(theirs) > 0 {
		c.queue = append(c.queue, pair{location: at, ours: ours, theirs: theirs})
	}
}

// visit compares a pair, unless it has already compared the same schemas.
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

// addMissing reports a value that our document lacks, once for each owner. The key identifies the
// owner. If another schema of theirs has the same value, it is added to the first finding. The
// holders may accept the finding.
func (c *comparison) addMissing(owner string, holders []*value, f finding) {
	if reason := f.acceptedBy(holders); reason != "" {
		f.detail = "" // what ours has in its place matters little
		c.note(f.location, f.what()+", accepted: "+reason)
		return
	}
	key := strings.Join([]string{owner, string(f.kind), f.subject()}, " ")
	if first := c.missing[key]; first != nil {
		first.theirs = addOnce(first.theirs, f.theirs...)
		return
	}
	c.missing[key] = &f
}

// acceptedDrift is the extension that names the values that a schema or operation of ours lacks on
// purpose, with the reason.
const acceptedDrift = "x-accepted-drift"

// acceptedBy returns the reason why one of our schemas or operations lacks the value of f on
// purpose. It returns "" if none gives a reason.
func (f finding) acceptedBy(holders []*value) string {
	for _, v := range holders {
		if reason := v.get(acceptedDrift).get(f.subject()).str(); reason != "" {
			return reason
		}
	}
	return ""
}

// addOurs stores a value that may be only in our document. It is dropped at the end if one of its
// ids was in both documents.
func (c *comparison) addOurs(f finding, ids ...string) {
	key := strings.Join(ids, " ")
	if _, known := c.onlyOurs[key]; !known {
		f.ids = ids
		c.onlyOurs[key] = f
	}
}

func (c *comparison) addShared(ids ...string) {
	for _, id := range ids {
		c.shared[id] = true
	}
}

// note adds a note, unless another operation has the same note at the same path.
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
		r.onlyOurs = append(r.onlyOurs, f)
	}
	slices.SortFunc(r.missing, finding.compare)
	slices.SortFunc(r.onlyOurs, finding.compare)
	slices.SortFunc(r.notes, finding.compare)
	return r
}
