package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads one YAML document. Aliases are followed, merge keys ("<<") are refused: nothing
// that a document says may be skipped in silence.
func parseYAML(file string, data []byte) (*Value, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		return nil, yamlSyntax(file, err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("more than one document")
		}
		return nil, yamlSyntax(file, err)
	}
	if len(doc.Content) == 0 {
		return nil, yamlSyntax(file, io.EOF)
	}
	p := yamlParser{file: file, done: map[*yaml.Node]*Value{}, open: map[*yaml.Node]bool{}}
	return p.value(doc.Content[0], "")
}

type yamlParser struct {
	file string
	done map[*yaml.Node]*Value
	open map[*yaml.Node]bool
}

func (p *yamlParser) value(n *yaml.Node, pointer string) (*Value, error) {
	if n.Kind == yaml.AliasNode {
		if p.open[n.Alias] {
			return nil, p.errorf(n, pointer, "%w: alias *%s stands inside its own anchor", ErrSyntax, n.Value)
		}
		return p.done[n.Alias], nil
	}
	v := &Value{Pointer: pointer, Line: n.Line}
	p.done[n], p.open[n] = v, true
	defer delete(p.open, n)
	switch n.Kind {
	case yaml.MappingNode:
		return v, p.mapping(v, n)
	case yaml.SequenceNode:
		return v, p.list(v, n)
	default:
		v.Kind, v.Text = scalarKind(n), n.Value
		return v, nil
	}
}

func (p *yamlParser) mapping(v *Value, n *yaml.Node) error {
	v.Kind = Mapping
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return p.errorf(key, v.Pointer, "%w: a key that is no scalar", ErrSyntax)
		case key.ShortTag() == "!!merge":
			return p.errorf(key, v.Pointer, "%w: merge keys are not supported", ErrSyntax)
		case seen[key.Value]:
			return p.errorf(key, v.Pointer, "%w: key %q occurs twice", ErrSyntax, key.Value)
		}
		seen[key.Value] = true
		member, err := p.value(n.Content[i+1], v.Pointer+"/"+EscapePointer(key.Value))
		if err != nil {
			return err
		}
		v.Members = append(v.Members, Member{Key: key.Value, Value: member})
	}
	return nil
}

func (p *yamlParser) list(v *Value, n *yaml.Node) error {
	v.Kind = List
	for i, item := range n.Content {
		child, err := p.value(item, v.Pointer+"/"+indexToken(i))
		if err != nil {
			return err
		}
		v.Items = append(v.Items, child)
	}
	return nil
}

func (p *yamlParser) errorf(n *yaml.Node, pointer, format string, args ...any) error {
	return &Error{File: p.file, Line: n.Line, Pointer: pointer, Err: fmt.Errorf(format, args...)}
}

func scalarKind(n *yaml.Node) Kind {
	switch n.ShortTag() {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	default:
		return String
	}
}

var yamlLine = regexp.MustCompile(`\bline (\d+)`)

// yamlSyntax takes the line out of the parser's message, the only place where it has one.
func yamlSyntax(file string, err error) error {
	if errors.Is(err, io.EOF) {
		err = errors.New("the document is empty")
	}
	e := &Error{File: file, Err: fmt.Errorf("%w: %w", ErrSyntax, err)}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
	}
	return e
}
