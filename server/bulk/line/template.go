package line

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// NewTemplateReader returns a reader of the lines that a template makes of variables.
//
// The template is one line in OpenAI's form or in Gemini's, over as many lines of text as it likes,
// with names of variables in two braces within its texts:
//
//	{"url": "/v1/chat/completions", "body": {"model": "gemini-3.6-flash",
//	 "messages": [{"role": "user", "content": "Is this review kind? {{review}}"}]}}
//
// Variables are JSON objects, one a line, or CSV, of which the first row has the names. Each object
// or row makes a line. What stands for a variable is escaped as a part of its text, whatever it is:
// a text as it is, any other value as its JSON, null as nothing. Braces within a value are no
// variables.
//
// The id is that of the template, if it has one (it may have variables), else what the variables
// have by the name custom_id or key, or else request-1, request-2 and so on. The method may be left
// out.
func NewTemplateReader(template []byte, variables io.Reader, opts ...Option) (*Reader, error) {
	t, err := parseTemplate(template)
	if err != nil {
		return nil, err
	}
	s := newSettings(opts)
	if s.form == "" {
		s.form = t.form
	}
	return newReader(s, &templateSource{template: t, rows: newRows(variables, s.maxLineBytes),
		most: s.maxLineBytes}), nil
}

// template is a line with places for variables.
type template struct {
	form   Form
	pieces []piece
	// idMember is the name of the id in the form, and hasID whether the template has one.
	idMember string
	hasID    bool
}

// piece is a stretch of JSON, and the variable behind it, "" for none.
type piece struct {
	text     string
	variable string
}

// TemplateError says that a template is none.
type TemplateError struct {
	// Err is why.
	Err error
}

// Error says why.
func (e *TemplateError) Error() string { return "line: the template: " + e.Err.Error() }

// Unwrap returns Err.
func (e *TemplateError) Unwrap() error { return e.Err }

var errNoRequest = errors.New(`has neither "body" beside "url", as in OpenAI's form, nor "request", as in Gemini's`)

// parseTemplate reads a template.
func parseTemplate(data []byte) (*template, error) {
	data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte(markUTF8))
	if err := codec.CheckRoot(payloadLine, data); err != nil {
		return nil, &TemplateError{err}
	}
	e, problem := readEnvelope(data)
	if problem != nil {
		return nil, &TemplateError{errors.New(problem.Message)}
	}
	if e.Body == nil && e.Request == nil {
		return nil, &TemplateError{errNoRequest}
	}
	t := &template{form: e.form(), idMember: "custom_id", hasID: e.CustomID != nil}
	if t.form == Gemini {
		t.idMember, t.hasID = "key", e.Key != nil
	} else if e.Method == nil {
		var err error
		if data, err = jsonx.Set(data, "/method", jsontext.Value(`"POST"`)); err != nil {
			return nil, &TemplateError{err}
		}
	}
	return t, t.divide(data)
}

// divide finds the variables within texts. Names of members are left as they are.
func (t *template) divide(data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(data), asItCame)
	written := 0 // of data that is in pieces
	for {
		if dec.PeekKind() != jsontext.KindString || isName(dec) {
			_, err := dec.ReadToken()
			if errors.Is(err, io.EOF) {
				t.pieces = append(t.pieces, piece{text: string(data[written:])})
				return nil
			}
			if err != nil {
				return &TemplateError{err}
			}
			continue
		}
		quoted, err := dec.ReadValue()
		if err != nil {
			return &TemplateError{err}
		}
		end := int(dec.InputOffset())
		if pieces := variablesIn(string(data[written:end-len(quoted)]),
			unescaped(quoted)); len(pieces) > 1 {
			t.pieces = append(t.pieces, pieces...)
			written = end
		}
	}
}

// unescaped returns a text in quotes with no more escapes than it needs, so that none is within the
// braces of a variable.
func unescaped(quoted jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return string(quoted)
	}
	if quoted, err = jsontext.AppendQuote(nil, text); err != nil {
		return string(text)
	}
	return string(quoted)
}

// isName reports whether the next token is the name of a member.
func isName(dec *jsontext.Decoder) bool {
	kind, length := dec.StackIndex(dec.StackDepth())
	return kind == jsontext.KindBeginObject && length%2 == 0
}

// variablesIn returns the pieces of a text in quotes, of which the first has what stands before it
// too, and the last has no variable.
func variablesIn(before, quoted string) []piece {
	var pieces []piece
	for {
		start := strings.Index(quoted, "{{")
		if start < 0 {
			break
		}
		inner, rest, isClosed := strings.Cut(quoted[start+2:], "}}")
		name := strings.TrimSpace(inner)
		if !isClosed {
			break
		}
		// which is no variable, but may stand before one
		if name == "" || strings.ContainsAny(name, `{}"\`) {
			before, quoted = before+quoted[:start+1], quoted[start+1:]
			continue
		}
		pieces = append(pieces, piece{before + quoted[:start], name})
		before, quoted = "", rest
	}
	return append(pieces, piece{text: before + quoted})
}

// templateSource makes lines.
type templateSource struct {
	template *template
	rows     *rows
	most     int
	made     int
	buf      []byte
}

func (s *templateSource) read() int64 { return s.rows.read() }

// next implements [source].
func (s *templateSource) next() (rawLine, error) {
	r, err := s.rows.next()
	if err != nil {
		return rawLine{}, err
	}
	s.made++
	if r.problem != nil {
		return rawLine{number: r.number, problem: r.problem}, nil
	}
	data, problem := s.template.fill(s.buf[:0], &r)
	if problem == nil && !s.template.hasID {
		data, problem = s.template.addID(data, &r, s.made)
	}
	if problem == nil && len(data) > s.most {
		problem = tooLong(s.most)
	}
	s.buf = data
	if problem != nil {
		return rawLine{number: r.number, problem: problem}, nil
	}
	return rawLine{number: r.number, data: data}, nil
}

// fill appends the line that a row makes.
func (t *template) fill(dst []byte, r *row) ([]byte, *Problem) {
	for _, p := range t.pieces {
		dst = append(dst, p.text...)
		if p.variable == "" {
			continue
		}
		text, isThere := r.value(p.variable)
		if !isThere {
			return dst, &Problem{Code: CodeUnknownVariable,
				Message: fmt.Sprintf("there is no %q among its variables, which the template has",
					p.variable)}
		}
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			return dst, &Problem{Code: CodeInvalidValue, Param: "/" + p.variable,
				Message: messageUTF8}
		}
		dst = append(dst, quoted[1:len(quoted)-1]...)
	}
	return dst, nil
}

// addID puts the id of a row in front of the members of a line.
func (t *template) addID(data []byte, r *row, made int) ([]byte, *Problem) {
	id := "request-" + strconv.Itoa(made)
	for _, name := range []string{"custom_id", "key"} {
		if own, isThere := r.value(name); isThere {
			id = own
			break
		}
	}
	quoted, err := jsontext.AppendQuote(nil, id)
	if err != nil {
		return data, &Problem{Code: CodeInvalidValue, Param: "/" + t.idMember, Message: messageUTF8}
	}
	return slices.Concat([]byte(`{"`+t.idMember+`":`), quoted, []byte(","), data[1:]), nil
}
