package script

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/internal/document"
)

// Read parses a script in YAML or JSON. Unknown names and invalid fixtures are errors.
//
// An error wraps a [*document.Error], which has the line.
func Read(data []byte) (*Script, error) {
	script := new(Script)
	lines, err := document.Read(data, script,
		document.Form{Unknown: unknownName, FreeForm: freeForm})
	if err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	if pointer, err := script.Check(); err != nil {
		return nil, fmt.Errorf("script: %w", lines.Error(pointer, err.Error()))
	}
	return script, nil
}

// freeForm are the names in a script whose values are free-form JSON of the wire or a function, so
// that null is a value there.
var freeForm = []string{"json", "args", "part", "grounding", "chunk", "usage"}

// Check returns the first error in a script, and a JSON pointer to it.
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
	case f.Match.Mistake != nil:
		return "/match", f.Match.Mistake
	case f.Reply != nil && len(f.Replies) > 0:
		return "", errors.New("want one of reply and replies")
	case len(f.Answers()) == 0:
		return "", errors.New("the fixture has no reply")
	case f.Times != nil && *f.Times < 0:
		return "/times", errors.New("times must not be negative")
	case f.Times != nil && *f.Times > 0 && *f.Times < len(f.Replies):
		return "/times",
			fmt.Errorf("times is %d and there are %d replies", *f.Times, len(f.Replies))
	}
	for i, answer := range f.Answers() {
		pointer := "/reply"
		if f.Reply == nil {
			pointer = fmt.Sprintf("/replies/%d", i)
		}
		if inner, err := answer.check(); err != nil {
			return pointer + inner, err
		}
	}
	return "", nil
}

// check also checks what only a script in Go can contain. Blocks of a file are checked when they
// are read.
func (a *Answer) check() (pointer string, err error) {
	if len(a.Blocks) == 0 && a.FinishReason == "" {
		return "", errors.New("the answer is empty")
	}
	if err := a.checkPace(); err != nil {
		return "", err
	}
	for i := range a.Blocks {
		block := &a.Blocks[i]
		pointer := fmt.Sprintf("/blocks/%d", i)
		if err := block.check(); err != nil {
			return pointer, err
		}
		if inner, err := block.checkJSON(); err != nil {
			return pointer + inner, err
		}
		if f := block.Fault; f != nil && f.EndsAnswer() && i < len(a.Blocks)-1 {
			return "", fmt.Errorf("nothing can come after the fault %s", f.Kind)
		}
	}
	return "", nil
}
