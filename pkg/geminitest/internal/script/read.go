package script

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Read reads a script in YAML or JSON. Names that a script does not have are errors, and so are fixtures that cannot
// answer.
//
// An error is a [*FileError], which says the line.
func Read(data []byte) (*Script, error) {
	text, lines, err := toJSON(data)
	if err != nil {
		return nil, err
	}
	script := new(Script)
	if err := json.Unmarshal(text, script, json.RejectUnknownMembers(true)); err != nil {
		return nil, lines.locate(text, err)
	}
	if pointer, err := script.Check(); err != nil {
		return nil, &FileError{line: lines.of(pointer), pointer: pointer, reason: err.Error()}
	}
	return script, nil
}

// Check returns what is wrong with a script, and a JSON pointer to it.
func (s *Script) Check() (pointer string, err error) {
	for i := range s.Fixtures {
		pointer := fmt.Sprintf("/fixtures/%d", i)
		if inner, err := s.Fixtures[i].check(); err != nil {
			return pointer + inner, err
		}
	}
	return "", nil
}

func (f *Fixture) check() (pointer string, err error) {
	switch {
	case f.Reply != nil && len(f.Replies) > 0:
		return "", errors.New("want one of reply and replies")
	case len(f.Answers()) == 0:
		return "", errors.New("the fixture has no reply")
	case f.Times != nil && *f.Times < 0:
		return "/times", errors.New("times must not be negative")
	case f.Times != nil && *f.Times > 0 && *f.Times < len(f.Replies):
		return "/times", fmt.Errorf("times is %d and there are %d replies", *f.Times, len(f.Replies))
	}
	for i, answer := range f.Answers() {
		place := "/reply"
		if f.Reply == nil {
			place = fmt.Sprintf("/replies/%d", i)
		}
		if err := answer.check(); err != nil {
			return place, err
		}
	}
	return "", nil
}

func (a *Answer) check() error {
	if len(a.Blocks) == 0 {
		return errors.New("the answer is empty")
	}
	for i := range a.Blocks {
		if err := a.Blocks[i].check(); err != nil {
			return err
		}
		if f := a.Blocks[i].Fault; f != nil && f.EndsAnswer() && i < len(a.Blocks)-1 {
			return fmt.Errorf("nothing can come behind the fault %s", f.Kind)
		}
	}
	return nil
}

// FileError is what is wrong with the file of a script.
type FileError struct {
	line    int
	pointer string
	reason  string
}

// Error names the line, the place and what would be right.
func (e *FileError) Error() string {
	if e.pointer == "" {
		return fmt.Sprintf("script: line %d: %s", e.line, e.reason)
	}
	return fmt.Sprintf("script: line %d: %s: %s", e.line, e.pointer, e.reason)
}

// Line returns the line, counted from 1.
func (e *FileError) Line() int { return e.line }

// Location returns a JSON pointer, and -1 for the offset, which is not known in YAML.
func (e *FileError) Location() (pointer string, offset int64) { return e.pointer, -1 }

// Reason returns what is wrong there.
func (e *FileError) Reason() string { return e.reason }

// lines has the line of each value of a file by its JSON pointer.
type lines map[string]int

// of returns the line of a value, or of the nearest value around it.
func (l lines) of(pointer string) int {
	for {
		if line, ok := l[pointer]; ok {
			return line
		}
		i := bytes.LastIndexByte([]byte(pointer), '/')
		if i < 0 {
			return 1
		}
		pointer = pointer[:i]
	}
}

// locate words an error of decoding.
func (l lines) locate(text []byte, err error) *FileError {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		pointer := string(syntax.JSONPointer)
		if errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
			return &FileError{l.of(pointer), pointer, "the name is there twice"}
		}
		return &FileError{l.of(pointer), pointer, syntax.Err.Error()}
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return &FileError{line: 1, reason: err.Error()}
	}
	pointer := string(semantic.JSONPointer)
	failure := &FileError{line: l.of(pointer), pointer: pointer, reason: reasonOf(semantic)}
	if errors.Is(err, json.ErrUnknownName) {
		failure.reason = unknownName(pointer)
	}
	return failure
}

// reasonOf says what kind of value was expected, in the words of JSON.
func reasonOf(e *json.SemanticError) string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return fmt.Sprintf("a %s does not belong here", kindName(e.JSONKind))
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindNull:
		return "null"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "truth value"
	case jsontext.KindNumber:
		return "number"
	case jsontext.KindString:
		return "text"
	case jsontext.KindBeginArray:
		return "list"
	default:
		return "object"
	}
}
