package openapi

import (
	"regexp"
	"slices"
	"strings"
)

// Operation is one method of one path.
type Operation struct {
	// Name is the operationId or, without one, the method and the path.
	Name string
	// Method is the HTTP method in capitals.
	Method string
	// Path is the path's template as the document spells it.
	Path string
	// Value is the operation object.
	Value *Value

	doc  *Document
	item *Value
}

// methods are the members of a path item that are operations (OpenAPI 3.0.3 and 3.1, path item
// object).
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// Operations returns the document's operations in its own order.
func (d *Document) Operations() ([]Operation, error) {
	paths := d.Root.Get("paths")
	if paths.KindOf() != Mapping {
		return nil, d.Errorf(d.Root, "%w: member paths is not a mapping", ErrNotOpenAPI)
	}
	var out []Operation
	for _, path := range paths.Members {
		item, err := d.Resolve(path.Value)
		if err != nil {
			return nil, err
		}
		if item.Kind != Mapping {
			return nil, d.Errorf(path.Value, "%w: a path item is not a mapping", ErrStructure)
		}
		for _, m := range item.Members {
			if !slices.Contains(methods, m.Key) {
				continue
			}
			if m.Value.Kind != Mapping {
				return nil, d.Errorf(m.Value, "%w: an operation is not a mapping", ErrStructure)
			}
			out = append(out, d.operation(path.Key, item, m))
		}
	}
	return out, nil
}

func (d *Document) operation(path string, item *Value, m Member) Operation {
	o := Operation{Method: strings.ToUpper(m.Key), Path: path, Value: m.Value, doc: d, item: item}
	o.Name = m.Value.Get("operationId").String()
	if o.Name == "" {
		o.Name = o.Method + " " + path
	}
	return o
}

// Key is equal for operations that mean the same call in two documents: the method and the
// [NormalPath].
func (o Operation) Key() string { return o.Method + " " + NormalPath(o.Path) }

var (
	versionSegment    = regexp.MustCompile(`^v\d+((p\d+)?(alpha|beta)\d*)?$`)
	templateParameter = regexp.MustCompile(`\{[^{}]*\}`)
)

// NormalPath is a path without what documents of the same API spell differently: the base path up
// to and including the version (v1, v1beta, v1p1beta1), which may stand in the server's URL instead,
// and the names of template parameters.
//
//	/v1beta/models/{model}:generateContent -> /models/{}:generateContent
//	/models/{modelsId}:generateContent     -> /models/{}:generateContent
//	/openai/v1/chat/completions            -> /chat/completions
func NormalPath(path string) string {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if i := slices.IndexFunc(segments, versionSegment.MatchString); i >= 0 {
		segments = segments[i+1:]
	}
	return "/" + templateParameter.ReplaceAllString(strings.Join(segments, "/"), "{}")
}

// Parameter is one parameter of an operation.
type Parameter struct {
	// In is query, path, header or cookie.
	In string
	// Name is the parameter's name.
	Name string
	// Schema is nil when the parameter has none.
	Schema *Value
}

// Parameters returns the operation's parameters and those of its path item which it does not
// override: path parameters first, in the order in which the path holds them, then the others in
// the order of the document.
func (o Operation) Parameters() ([]Parameter, error) {
	var out []Parameter
	for _, list := range []*Value{o.Value.Get("parameters"), o.item.Get("parameters")} {
		if list != nil && list.Kind != List {
			return nil, o.doc.Errorf(list, "%w: parameters is not a list", ErrStructure)
		}
		for _, item := range listItems(list) {
			p, err := o.doc.parameter(item)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(out, p.same) {
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Parameter) int { return o.position(a) - o.position(b) })
	return out, nil
}

func (d *Document) parameter(item *Value) (Parameter, error) {
	v, err := d.Resolve(item)
	if err != nil {
		return Parameter{}, err
	}
	p := Parameter{In: v.Get("in").String(), Name: v.Get("name").String(), Schema: v.Get("schema")}
	if p.In == "" || p.Name == "" {
		return p, d.Errorf(item, "%w: a parameter without in or name", ErrStructure)
	}
	if content := v.Get("content"); p.Schema == nil && len(content.members()) > 0 {
		p.Schema = content.Members[0].Value.Get("schema")
	}
	return p, nil
}

func (p Parameter) same(other Parameter) bool { return p.In == other.In && p.Name == other.Name }

// position sorts path parameters by their place in the path, before all others.
func (o Operation) position(p Parameter) int {
	if i := strings.Index(o.Path, "{"+p.Name+"}"); p.In == "path" && i >= 0 {
		return i
	}
	return len(o.Path)
}

// Content is the body of a request or a response: its schema in each of the two media types that
// the APIs use, nil where the document has none.
type Content struct {
	// Value is the request body or response object, nil when the operation has none.
	Value *Value
	// JSON is the schema of application/json.
	JSON *Value
	// EventStream is the schema of text/event-stream.
	EventStream *Value
}

// RequestBody returns the request's body; the zero Content when the operation has none.
func (o Operation) RequestBody() (Content, error) {
	return o.doc.content(o.Value.Get("requestBody"))
}

// Response returns the body of the operation's success: of the first status 2xx, or of "default"
// when the document names no other (Google's own documents do so); the zero Content without either.
func (o Operation) Response() (Content, error) {
	responses := o.Value.Get("responses")
	for _, m := range responses.members() {
		if strings.HasPrefix(m.Key, "2") {
			return o.doc.content(m.Value)
		}
	}
	return o.doc.content(responses.Get("default"))
}

func (d *Document) content(body *Value) (Content, error) {
	v, err := d.Resolve(body)
	if err != nil {
		return Content{}, err
	}
	c := Content{Value: v}
	content := v.Get("content")
	if v != nil && v.Kind != Mapping || content != nil && content.Kind != Mapping {
		return c, d.Errorf(body, "%w: a body or its content is not a mapping", ErrStructure)
	}
	for _, m := range content.members() {
		media, _, _ := strings.Cut(m.Key, ";")
		switch strings.ToLower(strings.TrimSpace(media)) {
		case "application/json":
			c.JSON = m.Value.Get("schema")
		case "text/event-stream":
			c.EventStream = m.Value.Get("schema")
		}
	}
	return c, nil
}

func (v *Value) members() []Member {
	if v == nil {
		return nil
	}
	return v.Members
}

func listItems(v *Value) []*Value {
	if v == nil {
		return nil
	}
	return v.Items
}
