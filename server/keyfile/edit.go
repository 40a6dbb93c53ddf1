package keyfile

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// NotFoundError is returned if no key has the name.
type NotFoundError struct{ Name string }

// Error returns the name.
func (e *NotFoundError) Error() string { return fmt.Sprintf("there is no key named %q", e.Name) }

// Member is a member of a key in a file. An empty value removes it.
type Member struct{ Name, Value string }

// Has reports whether a text has a key with a name.
func Has(text []byte, name string) bool {
	_, list, err := parse(text)
	return err == nil && find(list, name) >= 0
}

// Add appends a key with members such as name, hash and budget. A value is in YAML.
func Add(text []byte, members ...Member) ([]byte, error) {
	doc, list, err := parse(text)
	if err != nil {
		return nil, err
	}
	key := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if list.Style == yaml.FlowStyle && len(list.Content) == 0 {
		list.Style = 0
	}
	if err := set(key, members); err != nil {
		return nil, err
	}
	list.Content = append(list.Content, key)
	return write(doc)
}

// Set changes the members of the key with a name.
func Set(text []byte, name string, members ...Member) ([]byte, error) {
	doc, list, err := parse(text)
	if err != nil {
		return nil, err
	}
	at := find(list, name)
	if at < 0 {
		return nil, &NotFoundError{name}
	}
	if err := set(list.Content[at], members); err != nil {
		return nil, err
	}
	return write(doc)
}

// Remove removes the key with a name. It refuses to remove the last one, because a file without
// keys is an error.
func Remove(text []byte, name string) ([]byte, error) {
	doc, list, err := parse(text)
	if err != nil {
		return nil, err
	}
	at := find(list, name)
	switch {
	case at < 0:
		return nil, &NotFoundError{name}
	case len(list.Content) == 1:
		return nil, fmt.Errorf("%q is the last key; a gateway needs one, so make another one first", name)
	}
	list.Content = append(list.Content[:at], list.Content[at+1:]...)
	return write(doc)
}

// isEmpty reports whether a text has only spaces and comments.
func isEmpty(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// parse returns the document and the list of keys.
func parse(text []byte) (doc, list *yaml.Node, err error) {
	if isEmpty(text) {
		text = append(text, "keys: []\n"...)
	}
	doc = &yaml.Node{}
	if err := yaml.Unmarshal(text, doc); err != nil {
		return nil, nil, fmt.Errorf("keyfile: %w", err)
	}
	list = doc.Content[0]
	if list.Kind == yaml.MappingNode {
		list = member(list, "keys")
	}
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, nil, fmt.Errorf("keyfile: the file has no list of keys")
	}
	return doc, list, nil
}

// member returns the value of a member, or nil.
func member(object *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(object.Content); i += 2 {
		if object.Content[i].Value == name {
			return object.Content[i+1]
		}
	}
	return nil
}

// find returns the index of the key with a name, or -1.
func find(list *yaml.Node, name string) int {
	for i, key := range list.Content {
		if found := member(key, "name"); found != nil && found.Value == name {
			return i
		}
	}
	return -1
}

// set sets and removes members of a key.
func set(key *yaml.Node, members []Member) error {
	for _, m := range members {
		at := 0
		for at < len(key.Content) && key.Content[at].Value != m.Name {
			at += 2
		}
		isNew := at >= len(key.Content)
		if m.Value == "" {
			if !isNew {
				key.Content = append(key.Content[:at], key.Content[at+2:]...)
			}
			continue
		}
		var value yaml.Node
		if err := yaml.Unmarshal([]byte(m.Value), &value); err != nil {
			return fmt.Errorf("keyfile: %s: %w", m.Name, err)
		}
		if isNew {
			key.Content = append(key.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: m.Name},
				value.Content[0])
			continue
		}
		value.Content[0].LineComment = strings.TrimSpace(key.Content[at+1].LineComment)
		key.Content[at+1] = value.Content[0]
	}
	return nil
}

// write returns the text of a document. JSON stays JSON, which is YAML in flow style.
func write(doc *yaml.Node) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(doc); err != nil {
		return nil, fmt.Errorf("keyfile: %w", err)
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("keyfile: %w", err)
	}
	return out.Bytes(), nil
}
