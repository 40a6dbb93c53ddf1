package line

import (
	"bufio"
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

// NewTemplateReader returns a reader of lines that a template makes from variables.
//
// The template is one line in OpenAI's format or in Gemini's, which may span several lines of text.
// Its texts contain names of variables in double braces:
//
//	{"url": "/v1/chat/completions", "body": {"model": "gemini-3.6-flash",
//	 "messages": [{"role": "user", "content": "Is this review kind? {{review}}"}]}}
//
// Variables are JSON objects, one on each line, or CSV with names in the first row. Each object or
// row makes a line. The value of a variable is escaped as part of its text: a string unchanged, any
// other value as its JSON, null as nothing. Braces within a value are not variables.
//
// The id is the template's, if it has one (it may contain variables). Otherwise it is the variable
// custom_id or key, or else request-1, request-2 and so on. The method may be omitted.
func NewTemplateReader(template []byte, variables io.Reader, opts ...Option) (*Reader, error) {
	t, err := parseTemplate(template)
	if err != nil {
		return nil, err
	}
	s := newSettings(opts)
	if s.format == "" {
		s.format = t.format
	}
	return newReader(s, &templateSource{template: t, most: s.maxLineBytes,
		rows: &rows{in: bufio.NewReaderSize(variables, scanSize), most: s.maxLineBytes}}), nil
}

// template is a line with variables.
type template struct {
	format Format
	pieces []piece
	// idMember is the id's name in the format. hasID reports that the template has an id.
	idMember string
	hasID    bool
}

// piece is a part of the JSON, and the variable after it, or "".
type piece struct {
	text     string
	variable string
}

// TemplateError reports an invalid template.
type TemplateError struct {
	// Err is the reason.
	Err error
}

// Error returns the reason.
func (e *TemplateError) Error() string { return "line: the template: " + e.Err.Error() }

// Unwrap returns Err.
func (e *TemplateError) Unwrap() error { return e.Err }

var errNoRequest = errors.New(`has neither "url" and "body", as in OpenAI's form, nor "request", as in Gemini's`)

// parseTemplate parses a template.
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
	t := &template{format: e.format(), idMember: "custom_id", hasID: e.CustomID != nil}
	if t.format == Gemini {
		t.idMember, t.hasID = "key", e.Key != nil
	} else if e.Method == nil {
		var err error
		if data, err = jsonx.Set(data, "/method", jsontext.Value(`"POST"`)); err != nil {
			return nil, &TemplateError{err}
		}
	}
	return t, t.divide(data)
}

// divide finds the variables in texts. It leaves member names unchanged.
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

// unescaped returns a quoted text with as few escapes as possible, so that the braces of a variable
// contain none.
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

// isName reports whether the next token is a member name.
func isName(dec *jsontext.Decoder) bool {
	kind, length := dec.StackIndex(dec.StackDepth())
	return kind == jsontext.KindBeginObject && length%2 == 0
}

// variablesIn returns the pieces of a quoted text. The first piece includes what is before the
// text, and the last piece has no variable.
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
		// which is not a variable, but may precede one
		if name == "" || strings.ContainsAny(name, `{}"\`) {
			before, quoted = before+quoted[:start+1], quoted[start+1:]
			continue
		}
		pieces = append(pieces, piece{before + quoted[:start], name})
		before, quoted = "", rest
	}
	return append(pieces, piece{text: before + quoted})
}

// templateSource makes lines from rows.
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

// fill appends the line for a row.
func (t *template) fill(dst []byte, r *row) ([]byte, *Problem) {
	for _, p := range t.pieces {
		dst = append(dst, p.text...)
		if p.variable == "" {
			continue
		}
		text, isThere := r.value(p.variable)
		if !isThere {
			return dst, &Problem{Code: CodeUnknownVariable,
				Message: fmt.Sprintf("the variable %q of the template is missing",
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

// addID puts a row's id before the members of a line.
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
