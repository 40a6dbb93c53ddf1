package fakegemini

import (
	_ "embed" // the schema of scripts
	"fmt"
	"net/http"
	"os"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// WithScript has the server answer by fixtures. The first one that matches a request answers it,
// those of an option before in front; what none matches, the server answers itself. Scripted
// answers come after the checks of the real server: a request that it refuses is refused.
func WithScript(fixtures ...*Fixture) Option {
	return optionFunc(func(s *settings) { s.add(fixtures) })
}

// WithScriptFile has the server answer by the fixtures of a file in YAML or JSON, as
// docs/testing.md describes it and script.schema.json for editors. The file is read by Start or
// NewHandler, and an error in it is one of theirs, with the line.
func WithScriptFile(path string) Option {
	return optionFunc(func(s *settings) {
		data, err := os.ReadFile(path)
		if err != nil {
			s.fail(err)
			return
		}
		file, err := script.Read(data)
		if err != nil {
			s.fail(fmt.Errorf("%s: %w", path, err))
			return
		}
		s.script.Fixtures = append(s.script.Fixtures, file.Fixtures...)
		s.models = append(s.models, file.Models...)
		s.script.Strict = s.script.Strict || file.Strict
		if file.Seed != 0 {
			s.script.Seed = file.Seed
		}
	})
}

// WithStrict refuses requests to generate content that no fixture matches, and reports the fixture
// that came nearest and what differed ([WithReport]).
func WithStrict() Option {
	return optionFunc(func(s *settings) { s.script.Strict = true })
}

// WithSeed sets what chances and jitter follow from: equal seeds, equal outcomes. Without it the
// seed is 0.
func WithSeed(seed uint64) Option {
	return optionFunc(func(s *settings) { s.script.Seed = seed })
}

// WithReport has a function told what a client cannot know or would not say: requests that a strict
// script or a cassette does not have, in words, and a cassette that cannot be written. It must be
// safe for concurrent use. nil changes nothing. Without this option nothing is reported, but
// package geminitest fails the test.
func WithReport(report func(text string)) Option {
	return optionFunc(func(s *settings) {
		if report != nil {
			s.report = report
		}
	})
}

// fail keeps the first error.
func (s *settings) fail(err error) {
	if s.err == nil {
		s.err = fmt.Errorf("fakegemini: %w", err)
	}
}

// add adds the fixtures of an option.
func (s *settings) add(fixtures []*Fixture) {
	for i, fixture := range fixtures {
		if fixture == nil {
			s.fail(fmt.Errorf("fixture %d of WithScript is nil; expected one made by On", i))
			return
		}
		s.script.Fixtures = append(s.script.Fixtures, fixture.data)
	}
}

func newPlayer(s *settings, a *api) (*script.Player, error) {
	if pointer, err := s.script.Check(); err != nil {
		return nil, fmt.Errorf("fakegemini: %s: %w", pointer, err)
	}
	return script.NewPlayer(s.script,
		script.Fake{Now: s.now, Check: a.checked, CachedTokens: a.cachedTokens,
			Unmatched: s.report}), nil
}

// AddFixtures adds fixtures after those of the server, for requests that come from now on. It fails
// at the first fixture that cannot be used.
func (h *Handler) AddFixtures(fixtures ...*Fixture) error {
	if h == nil || h.script == nil {
		return errHandlerNotMade
	}
	for i, fixture := range fixtures {
		if fixture == nil {
			return fmt.Errorf("fakegemini: fixture %d is nil; expected one made by On", i)
		}
		if err := h.script.Add(fixture.data); err != nil {
			return fmt.Errorf("fakegemini: %w", err)
		}
	}
	return nil
}

// checked refuses what the real server refuses, and has next answer the rest.
func (a *api) checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		why := a.identify(r)
		request := received.From(r)
		switch {
		case why != nil:
		case request.Content != nil || request.Malformed != nil:
			why = a.check(request)
		case request.Operation != "":
			why = a.checkModel(request)
		}
		if why != nil {
			refuse(w, r, why)
			return
		}
		next.ServeHTTP(w, r)
	})
}

//go:embed script.schema.json
var scriptSchema string

// ScriptSchema returns the JSON Schema of the files of [WithScriptFile], for editors: a file that
// says "$schema: script.schema.json" is checked and completed while it is written.
func ScriptSchema() string { return scriptSchema }
