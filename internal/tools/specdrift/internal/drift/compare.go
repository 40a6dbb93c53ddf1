// Package drift compares two OpenAPI documents of one API by what their operations take and answer,
// not by the names of their schemas: it walks both from each operation of ours, in step.
package drift

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

// Report is the difference of two documents, in the order in which it is printed.
type Report struct {
	// Missing is what they have and we lack.
	Missing []Finding
	// OnlyOurs is what only we have.
	OnlyOurs []Finding
	// Notes are differences that are not counted.
	Notes []Note
	// Names tells under which component's key we have a schema of theirs: by the JSON pointer of
	// their canonical schema (see [shape.Reader.Canonical]).
	Names map[string]string
	// Fitting are the uses of our schemas that have a type in common with theirs, wherever they were
	// met. What a [Type] is missing from and does not fit can go.
	Fitting map[*openapi.Value]bool
}

// Compare walks the operations of ours and their counterparts in theirs. Each schema is reported
// once, at the first place where it is reached: operations in our order, nearest places first.
// The error is an [*openapi.Error].
func Compare(ours, theirs *openapi.Document) (*Report, error) {
	c := &comparison{
		ours:     side{doc: ours, Reader: shape.NewReader(ours)},
		theirs:   side{doc: theirs, Reader: shape.NewReader(theirs)},
		visits:   map[string]*visit{},
		missing:  map[string]*Finding{},
		onlyOurs: map[string]*ourFinding{},
		shared:   map[string]bool{},
		names:    map[string]string{},
		fitting:  map[*openapi.Value]bool{},
	}
	if err := c.operations(); err != nil {
		return nil, err
	}
	return c.report(), nil
}

// side is one of the two documents.
type side struct {
	*shape.Reader
	doc *openapi.Document
}

// comparison is the state of one walk.
type comparison struct {
	ours, theirs side
	queue        []pair
	visits       map[string]*visit      // by key of the pair
	missing      map[string]*Finding    // by the owner and what it lacks
	onlyOurs     map[string]*ourFinding // by what may be only ours
	shared       map[string]bool        // what they have too, by the same identity as in ourFinding
	notes        []Note
	names        map[string]string       // see Report
	fitting      map[*openapi.Value]bool // see Report
}

// pair is a value that both documents describe, each by the alternatives that it can have there.
type pair struct {
	Place
	ours, theirs []*openapi.Value
}

// visit is a pair of canonical schemas that has been compared, or is going to be.
type visit struct {
	pair
	ourKey  string           // identifies our schemas
	schema  string           // names them
	uses    []*openapi.Value // each place in our document that led here
	o, t    *shape.Shape
	unlike  bool       // a type is missing
	retyped []*Finding // which say so
}

// ourFinding is what we have and they were not seen to have so far.
type ourFinding struct {
	Finding
	ids []string // it is theirs too when any of these is shared
}

// operations compares each operation of ours with the one of theirs that has its key.
func (c *comparison) operations() error {
	ours, err := c.ours.doc.Operations()
	if err != nil {
		return err
	}
	theirs, err := c.theirs.doc.Operations()
	if err != nil {
		return err
	}
	for _, o := range ours {
		t, found := counterpart(o, theirs)
		if !found {
			c.addOurs(Finding{Place: Place{Operation: o.Name}, Kind: Operation, Name: o.Method + " " + o.Path}, o.Value.Pointer)
			continue
		}
		if err := c.operation(o, t); err != nil {
			return err
		}
	}
	return nil
}

// counterpart prefers the operation at the very path of o to another version's.
func counterpart(o openapi.Operation, theirs []openapi.Operation) (openapi.Operation, bool) {
	same := func(t openapi.Operation) bool { return t.Method == o.Method && t.Path == o.Path }
	alike := func(t openapi.Operation) bool { return t.Key() == o.Key() }
	for _, match := range []func(openapi.Operation) bool{same, alike} {
		if i := slices.IndexFunc(theirs, match); i >= 0 {
			return theirs[i], true
		}
	}
	return openapi.Operation{}, false
}

func (c *comparison) operation(o, t openapi.Operation) error {
	if err := c.parameters(o, t); err != nil {
		return err
	}
	for _, direction := range []Direction{Request, Response} {
		read := openapi.Operation.RequestBody
		if direction == Response {
			read = openapi.Operation.Response
		}
		ours, err := read(o)
		if err != nil {
			return err
		}
		theirs, err := read(t)
		if err != nil {
			return err
		}
		c.bodies(o, direction, ours, theirs)
	}
	return c.drain()
}

// drain visits pairs, nearest first, until nothing new is reached.
func (c *comparison) drain() error {
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		if err := c.visit(next); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) enqueue(at Place, ours, theirs []*openapi.Value) {
	if len(ours) > 0 && len(theirs) > 0 {
		c.queue = append(c.queue, pair{Place: at, ours: ours, theirs: theirs})
	}
}

// visit compares a pair unless the same schemas have met before.
func (c *comparison) visit(p pair) error {
	ours, err := c.ours.CanonicalSet(p.ours)
	if err != nil {
		return err
	}
	theirs, err := c.theirs.CanonicalSet(p.theirs)
	if err != nil {
		return err
	}
	key := shape.Identity(ours) + " = " + shape.Identity(theirs)
	if v := c.visits[key]; v != nil {
		c.use(v, p.ours[0])
		return nil
	}
	v := &visit{pair: pair{Place: p.Place, ours: ours, theirs: theirs}, ourKey: shape.Identity(ours), schema: SchemaName(ours...)}
	c.visits[key] = v
	if v.o, err = c.ours.Of(ours...); err != nil {
		return err
	}
	if v.t, err = c.theirs.Of(theirs...); err != nil {
		return err
	}
	c.use(v, p.ours[0])
	c.shapes(v)
	c.name(v)
	return nil
}

// use remembers a place that leads to the visit's schemas: each of them needs another type when the
// visit finds that one is missing.
func (c *comparison) use(v *visit, site *openapi.Value) {
	if slices.ContainsFunc(v.o.Types, v.t.Has) {
		c.fitting[site] = true
	}
	v.uses = addOnce(v.uses, site)
	for _, f := range v.retyped {
		f.Ours = addOnce(f.Ours, site)
	}
}

// addOnce adds what is not in the list yet; the list's own array may be another's too.
func addOnce(list []*openapi.Value, values ...*openapi.Value) []*openapi.Value {
	for _, v := range values {
		if !slices.Contains(list, v) {
			list = append(slices.Clip(list), v)
		}
	}
	return list
}

func (v *visit) owner() owner { return owner{key: v.ourKey, values: v.o.Leaves} }

// name remembers that one component of ours is what they describe by one schema.
func (c *comparison) name(v *visit) {
	if len(v.ours) != 1 || len(v.theirs) != 1 || v.unlike {
		return
	}
	component, isComponent := Component(v.ours[0].Pointer)
	if _, known := c.names[v.theirs[0].Pointer]; isComponent && !known {
		c.names[v.theirs[0].Pointer] = component
	}
}

// addMissing reports what an owner lacks, once for each owner: what another schema of theirs says of
// the same thing is added to the first finding. It returns nil when the owner accepts the lack.
func (c *comparison) addMissing(o owner, f Finding) *Finding {
	if reason := o.accepts(f); reason != "" {
		c.noteAccepted(f, reason)
		return nil
	}
	key := strings.Join([]string{o.key, string(f.Kind), f.Subject()}, " ")
	if first := c.missing[key]; first != nil {
		first.Ours = addOnce(first.Ours, f.Ours...)
		first.Theirs = addOnce(first.Theirs, f.Theirs...)
		return first
	}
	c.missing[key] = &f
	return &f
}

// addOurs remembers what only we may have. It is dropped in the end when one of its ids was shared.
func (c *comparison) addOurs(f Finding, ids ...string) {
	key := strings.Join(ids, " ")
	if c.onlyOurs[key] == nil {
		c.onlyOurs[key] = &ourFinding{Finding: f, ids: ids}
	}
}

func (c *comparison) addShared(ids ...string) {
	for _, id := range ids {
		c.shared[id] = true
	}
}

func (c *comparison) report() *Report {
	r := &Report{Notes: c.notes, Names: c.names, Fitting: c.fitting}
	for _, f := range c.missing {
		r.Missing = append(r.Missing, *f)
	}
	for _, f := range c.onlyOurs {
		if slices.ContainsFunc(f.ids, func(id string) bool { return c.shared[id] }) {
			continue
		}
		if f.Kind == Property {
			f.Detail = c.ours.describe(f.Ours...)
		}
		r.OnlyOurs = append(r.OnlyOurs, f.Finding)
	}
	slices.SortFunc(r.Missing, compareFindings)
	slices.SortFunc(r.OnlyOurs, compareFindings)
	slices.SortFunc(r.Notes, func(a, b Note) int {
		if n := a.Place.compare(b.Place); n != 0 {
			return n
		}
		return strings.Compare(a.Text, b.Text)
	})
	return r
}
