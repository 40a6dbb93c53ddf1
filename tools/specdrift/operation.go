package main

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// operation is one method of one path.
type operation struct {
	name         string // operationId or, without one, method and path
	method, path string
	value        *value
	doc          *document
	item         *value // the path item
}

// The members of a path item that are operations (OpenAPI 3.0.3 and 3.1, path item object).
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// operations returns the document's operations in its own order.
func (d *document) operations() []operation {
	if !d.root.get("paths").isMapping() {
		d.failf(d.root, "%w: member paths is not a mapping", errNotOpenAPI)
	}
	var out []operation
	for _, path := range d.mapping(d.root, "paths") {
		item := d.resolve(path.value)
		if !item.isMapping() {
			d.failf(path.value, "%w: a path item is not a mapping", errStructure)
			return nil
		}
		for _, m := range item.members {
			if !slices.Contains(methods, m.key.Value) {
				continue
			}
			if !m.value.isMapping() {
				d.failf(m.value, "%w: an operation is not a mapping", errStructure)
			}
			o := operation{method: strings.ToUpper(m.key.Value), path: path.key.Value,
				value: m.value, doc: d, item: item}
			o.name = cmp.Or(m.value.get("operationId").str(), o.method+" "+o.path)
			out = append(out, o)
		}
	}
	return out
}

// counterpart returns the operation in another document that is the same call as o. It prefers an
// operation at exactly the same path.
func (o operation) counterpart(others []operation) (operation, bool) {
	same := func(t operation) bool { return t.method == o.method && t.path == o.path }
	alike := func(t operation) bool { return t.method == o.method && normalPath(t.path) == normalPath(o.path) }
	for _, match := range []func(operation) bool{same, alike} {
		if i := slices.IndexFunc(others, match); i >= 0 {
			return others[i], true
		}
	}
	return operation{}, false
}

var (
	versionSegment    = regexp.MustCompile(`^v\d+((p\d+)?(alpha|beta)\d*)?$`)
	templateParameter = regexp.MustCompile(`\{[^{}]*\}`)
)

// normalPath is a path without what documents of one API spell differently: the base path up to and
// including the version, which may stand in the server's URL instead, and the names of parameters.
//
//	/v1beta/models/{model}:generateContent -> /models/{}:generateContent
//	/models/{modelsId}:generateContent     -> /models/{}:generateContent
//	/openai/v1/chat/completions            -> /chat/completions
func normalPath(path string) string {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if i := slices.IndexFunc(segments, versionSegment.MatchString); i >= 0 {
		segments = segments[i+1:]
	}
	return "/" + templateParameter.ReplaceAllString(strings.Join(segments, "/"), "{}")
}

// parameter is one parameter of an operation; its schema may be nil.
type parameter struct {
	in, name string
	schema   *value
}

// parameters returns the operation's parameters, and the parameters of its path item that it does
// not override: path parameters first, in the order in which the path holds them, then the others
// in the order of the document.
func (o operation) parameters() []parameter {
	var out []parameter
	for _, item := range slices.Concat(o.doc.list(o.value, "parameters"),
		o.doc.list(o.item, "parameters")) {
		p := o.doc.parameter(item)
		if !slices.ContainsFunc(out,
			func(q parameter) bool { return q.in == p.in && q.name == p.name }) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b parameter) int { return o.position(a) - o.position(b) })
	return out
}

func (d *document) parameter(item *value) parameter {
	v := d.resolve(item)
	p := parameter{in: v.get("in").str(), name: v.get("name").str(), schema: v.get("schema")}
	if p.in == "" || p.name == "" {
		d.failf(item, "%w: a parameter without in or name", errStructure)
	}
	if content := d.mapping(v, "content"); p.schema == nil && len(content) > 0 {
		p.schema = content[0].value.get("schema")
	}
	return p
}

// position sorts path parameters by their position in the path, before all others.
func (o operation) position(p parameter) int {
	if i := strings.Index(o.path, "{"+p.name+"}"); p.in == "path" && i >= 0 {
		return i
	}
	return len(o.path)
}

// matches reports whether two parameters are the same. Path parameters are the same if their
// positions are equal, and others if their names are equal.
func (p parameter) matches(other parameter) bool {
	switch {
	case p.in != other.in:
		return false
	case p.in == "header":
		return strings.EqualFold(p.name, other.name)
	}
	return p.in == "path" || p.name == other.name
}

// content has the schema of a body for each of the two media types that the APIs use. It is nil if
// the document has none.
type content struct {
	json        *value // application/json
	eventStream *value // text/event-stream
}

// body returns the body of the request, or of the operation's success: of the first status 2xx or,
// when the document names none, of "default" (Google's own documents do so).
func (o operation) body(of direction) content {
	if of == request {
		return o.doc.content(o.value.get("requestBody"))
	}
	for _, m := range o.doc.mapping(o.value, "responses") {
		if strings.HasPrefix(m.key.Value, "2") {
			return o.doc.content(m.value)
		}
	}
	return o.doc.content(o.value.get("responses").get("default"))
}

func (d *document) content(body *value) content {
	var c content
	for _, m := range d.mapping(d.resolve(body), "content") {
		media, _, _ := strings.Cut(m.key.Value, ";")
		switch strings.ToLower(strings.TrimSpace(media)) {
		case "application/json":
			c.json = m.value.get("schema")
		case "text/event-stream":
			c.eventStream = m.value.get("schema")
		}
	}
	return c
}
