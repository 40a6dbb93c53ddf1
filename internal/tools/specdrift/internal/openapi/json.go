package openapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// parseJSON reads one JSON value. YAML's parser is no substitute: it refuses the surrogate pairs
// that JSON writers make of emoji.
func parseJSON(file string, data []byte) (*Value, error) {
	p := jsonParser{data: data, dec: jsontext.NewDecoder(bytes.NewBuffer(data)), line: 1}
	root, err := p.value("")
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return nil, p.located(file, err)
	}
	return root, nil
}

type jsonParser struct {
	data []byte
	dec  *jsontext.Decoder
	line int // of offset
	from int // the offset up to which lines are counted
}

func (p *jsonParser) value(pointer string) (*Value, error) {
	token, err := p.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	v := &Value{Pointer: pointer, Line: p.lineAt(int(p.dec.InputOffset()))}
	switch token.Kind() {
	case '{':
		return v, p.mapping(v)
	case '[':
		return v, p.list(v)
	case '"':
		v.Kind = String
	case '0':
		v.Kind = Number
	case 't', 'f':
		v.Kind = Bool
	}
	v.Text = token.String()
	return v, nil
}

func (p *jsonParser) mapping(v *Value) error {
	v.Kind = Mapping
	for p.dec.PeekKind() != '}' {
		name, err := p.dec.ReadToken()
		if err != nil {
			return err
		}
		key := name.String()
		member, err := p.value(v.Pointer + "/" + EscapePointer(key))
		if err != nil {
			return err
		}
		v.Members = append(v.Members, Member{Key: key, Value: member})
	}
	_, err := p.dec.ReadToken()
	return err
}

func (p *jsonParser) list(v *Value) error {
	v.Kind = List
	for p.dec.PeekKind() != ']' {
		item, err := p.value(v.Pointer + "/" + indexToken(len(v.Items)))
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
	}
	_, err := p.dec.ReadToken()
	return err
}

func (p *jsonParser) end() error {
	switch _, err := p.dec.ReadToken(); {
	case err == nil:
		return errors.New("more than one value")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}

func (p *jsonParser) located(file string, err error) error {
	e := &Error{File: file, Line: p.lineAt(int(p.dec.InputOffset())), Err: fmt.Errorf("%w: %w", ErrSyntax, err)}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		e.Line = p.lineAt(int(syntactic.ByteOffset))
	}
	return e
}

// lineAt counts on from the last asked offset; the decoder only moves forward.
func (p *jsonParser) lineAt(offset int) int {
	offset = min(offset, len(p.data))
	if offset > p.from {
		p.line += bytes.Count(p.data[p.from:offset], []byte("\n"))
		p.from = offset
	}
	return p.line
}

func indexToken(i int) string { return strconv.Itoa(i) }
