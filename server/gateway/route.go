package gateway

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// route returns the models that may answer a request for a name, in the order in which they are asked.
func (c *call) route(asked string) ([]string, *problem.Problem) {
	name := c.nameOf(asked)
	if name == "" {
		return nil, problem.Invalid("missing_required_parameter", "/model", "/model: must be set, as this gateway has no default model (--model)")
	}
	if alias, ok := c.aliases[name]; ok {
		name = alias
	}
	fallbacks := c.fallbacks[name]
	if len(fallbacks) == 0 || c.isDiverted() {
		return []string{name}, nil
	}
	return append([]string{name}, fallbacks...), nil
}

// nameOf returns the name by which a model that is asked for is known here: as an alias and in the lists of client keys.
func (s *settings) nameOf(asked string) string {
	name := cmp.Or(asked, s.defaultModel)
	if _, isAlias := s.aliases[name]; isAlias {
		return name
	}
	if s.upstream.Service == OpenAI { // whose models may well be called google/gemini-3.6-flash
		return strings.TrimPrefix(name, "models/")
	}
	return withoutServer(name)
}

// withoutServer returns the name of a model without what clients that know several servers put in front of it, so that
// limits, rests and fallbacks are those of the model.
func withoutServer(name string) string {
	for _, server := range []string{"google/", "gemini/", "models/"} {
		if id, ok := strings.CutPrefix(name, server); ok && !strings.Contains(id, "/") {
			return id
		}
	}
	return name
}

// limits returns the limits of a model.
func (s *settings) limits(model string) ModelSettings {
	own, ok := s.models[model]
	if !ok {
		own = s.models[""]
	}
	return ModelSettings{
		FirstByte: cmp.Or(own.FirstByte, defaultFirstByte),
		Idle:      cmp.Or(own.Idle, defaultIdle),
		Overall:   cmp.Or(own.Overall, defaultOverall),
	}
}

// options returns the options of a call of Gemini. The limit of a whole answer is that of the request.
func (m ModelSettings) options(streams bool) []gemini.CallOption {
	if !streams {
		return []gemini.CallOption{gemini.WithAttemptTimeout(0)}
	}
	return []gemini.CallOption{gemini.WithAttemptTimeout(m.FirstByte), gemini.WithStreamIdleTimeout(m.Idle)}
}
