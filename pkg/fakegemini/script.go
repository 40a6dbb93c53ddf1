package fakegemini

import (
	_ "embed" // the schema of scripts
	"fmt"
	"net/http"
	"os"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/script"
)

// WithScript answers requests from fixtures. The first fixture that matches a request answers it;
// fixtures of earlier options come first. The server answers other requests itself. The checks of
// the real server come before the script, so an invalid request is refused.
func WithScript(fixtures ...*Fixture) Option {
	return optionFunc(func(s *settings) { s.add(fixtures) })
}

// WithScriptFile answers requests from the fixtures of a YAML or JSON file. docs/testing.md
// describes the format, and script.schema.json describes it for editors. Start or NewHandler reads
// the file, and returns its errors, with the line.
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

// WithStrict refuses requests to generate content that no fixture matches. It reports the nearest
// fixture and what differs ([WithReport]).
func WithStrict() Option {
	return optionFunc(func(s *settings) { s.script.Strict = true })
}

// WithSeed sets the seed for chances and jitter: equal seeds give equal outcomes. The default is 0.
func WithSeed(seed uint64) Option {
	return optionFunc(func(s *settings) { s.script.Seed = seed })
}

// WithReport sets a function for problems that a client cannot see. It gets a text for requests
// that a strict script or a cassette does not have, and for a cassette that cannot be written. The
// function must be safe for concurrent use. nil changes nothing. By default nothing is reported,
// but package geminitest fails the test.
func WithReport(report func(text string)) Option {
	return optionFunc(func(s *settings) {
		if report != nil {
			s.report = report
		}
	})
}

// fail records the first error.
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

// AddFixtures appends fixtures to the server's fixtures, for later requests. It returns the error
// of the first invalid fixture.
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

// checked refuses what the real server refuses, and passes other requests to next.
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

// ScriptSchema returns the JSON Schema of the files of [WithScriptFile]. Editors use it to check
// and complete a file with "$schema: script.schema.json".
func ScriptSchema() string { return scriptSchema }
