package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// toJSON converts a file to JSON, and returns the lines of its values. JSON is also YAML.
func toJSON(data []byte, form *Form) ([]byte, Lines, error) {
	root, err := onlyDocument(data)
	if err != nil {
		return nil, nil, err
	}
	w := jsonWriter{lines: Lines{}, form: form}
	if err := w.value(root, ""); err != nil {
		return nil, nil, err
	}
	return w.out, w.lines, nil
}

// onlyDocument returns the only document of a file.
func onlyDocument(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var document, next yaml.Node
	switch err := dec.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, &Error{line: 1, reason: "the file is empty"}
	case err != nil:
		return nil, yamlError(err)
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		return nil, &Error{line: next.Line,
			reason: "a second document begins; expected one in a file"}
	case !errors.Is(err, io.EOF):
		wrong := yamlError(err)
		return nil, &Error{line: wrong.line, reason: "after the document: " + wrong.reason}
	}
	return document.Content[0], nil
}

// yamlError describes an error of the library, such as "yaml: line 3: did not find expected key".
func yamlError(err error) *Error {
	if found := yamlLine.FindStringSubmatch(err.Error()); found != nil {
		line, _ := strconv.Atoi(found[1]) // which are digits
		return &Error{line: line, reason: found[2]}
	}
	return &Error{line: 1, reason: err.Error()}
}

var yamlLine = regexp.MustCompile(`(?s)^yaml: (?:unmarshal errors:\n  )?line (\d+): (.*)`)

// maxValues limits the number of values in a file, with all aliases resolved. A few lines with
// aliases of aliases could make millions of values.
const maxValues = 100_000

// jsonWriter writes the nodes of a file as JSON.
type jsonWriter struct {
	out   []byte
	lines Lines
	form  *Form
	count int
}

func (w *jsonWriter) value(node *yaml.Node, pointer string) error {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if w.count++; w.count > maxValues || len(pointer) > maxPointer {
		return &Error{line: node.Line, reason: "the file has too many values"}
	}
	if _, ok := w.lines[pointer]; !ok {
		w.lines[pointer] = node.Line
	}
	switch node.Kind {
	case yaml.MappingNode:
		return w.object(node, pointer)
	case yaml.SequenceNode:
		return w.list(node, pointer)
	default:
		return w.scalar(node, pointer)
	}
}

// maxPointer limits the length of a pointer. An anchor that contains itself would never end.
const maxPointer = 1_000

func (w *jsonWriter) object(node *yaml.Node, pointer string) error {
	w.out = append(w.out, '{')
	for i := 0; i+1 < len(node.Content); i += 2 {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		name, value := node.Content[i], node.Content[i+1]
		if name.Kind != yaml.ScalarNode {
			return &Error{line: name.Line, pointer: pointer, reason: "a name is a text"}
		}
		inner := pointer + "/" + string(jsontext.Pointer("").AppendToken(name.Value)[1:])
		w.lines[inner] = name.Line
		w.text(name.Value)
		w.out = append(w.out, ':')
		if err := w.value(value, inner); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

func (w *jsonWriter) list(node *yaml.Node, pointer string) error {
	w.out = append(w.out, '[')
	for i, element := range node.Content {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(element, pointer+"/"+strconv.Itoa(i)); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *jsonWriter) scalar(node *yaml.Node, pointer string) error {
	switch node.ShortTag() {
	case "!!null":
		if !w.isFreeForm(pointer) {
			return &Error{node.Line, pointer, w.missing(pointer)}
		}
		w.out = append(w.out, "null"...)
	case "!!bool":
		var value bool
		if err := node.Decode(&value); err != nil {
			return yamlError(err)
		}
		w.out = strconv.AppendBool(w.out, value)
	case "!!int", "!!float":
		number, err := numberOf(node)
		if err != nil {
			return &Error{node.Line, pointer, err.Error()}
		}
		w.out = append(w.out, number...)
	case "!!str", "!!timestamp":
		w.text(node.Value)
	default:
		return &Error{node.Line, pointer, fmt.Sprintf("the tag %s is not valid here", node.Tag)}
	}
	return nil
}

// missing says what a name without a value needs.
func (w *jsonWriter) missing(pointer string) string {
	if want := w.form.want(pointer); want != "" {
		return "it has no value; want " + want
	}
	return "a null is not valid here"
}

// isFreeForm reports whether a value is within a member that holds any JSON.
func (w *jsonWriter) isFreeForm(pointer string) bool {
	for name := range jsontext.Pointer(pointer).Tokens() {
		if slices.Contains(w.form.FreeForm, name) {
			return true
		}
	}
	return false
}

// text writes a text. The library returns only valid UTF-8.
func (w *jsonWriter) text(text string) { w.out, _ = jsontext.AppendQuote(w.out, text) }

// numberOf returns a number as the file has it if that is valid JSON. Otherwise it returns the
// number's value.
func numberOf(node *yaml.Node) ([]byte, error) {
	if written := jsontext.Value(node.Value); written.Kind() == jsontext.KindNumber &&
		written.IsValid() {
		return written, nil
	}
	var whole int64
	if err := node.Decode(&whole); err == nil {
		return strconv.AppendInt(nil, whole, 10), nil
	}
	var number float64
	if err := node.Decode(&number); err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return nil, errors.New("JSON has no such number")
	}
	return strconv.AppendFloat(nil, number, 'g', -1, 64), nil
}
