package gateway

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/internal/modelname"
)

// longestModel is the maximum length of a model name in bytes.
const longestModel = 256

// askFor records the model that the client requests. It refuses an invalid name, and a model that
// the client's key does not allow.
func (c *call) askFor(model string) *problem.Problem {
	if p := c.checkModelName(model); p != nil {
		return p
	}
	c.end.Model = model
	return c.permitModel(model)
}

// checkModelName refuses an invalid model name, unless it is an alias. An empty name stands for the
// default model.
func (s *settings) checkModelName(name string) *problem.Problem {
	switch _, isAlias := s.aliases[name]; { // not by a pattern, which any name may match
	case isAlias:
		return nil
	case len(name) > longestModel:
		return problem.Invalid("invalid_model", "/model",
			"/model: has "+strconv.Itoa(len(name))+" bytes; expected at most "+
				strconv.Itoa(longestModel))
	case !isModelName(name):
		return problem.Invalid("invalid_model", "/model",
			"/model: must not contain control characters or any of "+noModelCharacters)
	default:
		return nil
	}
}

// noModelCharacters could address another resource of a server. No model name contains them.
const noModelCharacters = `\ % ? # ;`

func isModelName(name string) bool {
	return len(name) <= longestModel && utf8.ValidString(name) &&
		!strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsPrint(r) || r != ' ' && strings.ContainsRune(noModelCharacters, r)
		})
}

// headerModel is the response header with the name of the model that answers.
const headerModel = "X-Gemwire-Model"

// showModel sets the header with the model that answers.
func (c *call) showModel(name string) {
	headervalue.Set(c.writer.Header(), headerModel, c.recorders.Secrets.Name(name))
}

// route returns the models that may answer a request for a name, in the order in which they are
// called.
func (c *call) route(asked string) ([]string, *problem.Problem) {
	name := c.nameOf(asked)
	if name == "" {
		return nil, problem.Invalid("missing_required_parameter", "/model",
			"/model: must be set; this gateway has no default model (--model)")
	}
	if model, ok := c.aliases.find(name); ok {
		name = model
	}
	fallbacks := c.fallbacks[name]
	if len(fallbacks) == 0 || c.convertsOnly() {
		return []string{name}, nil
	}
	return append([]string{name}, fallbacks...), nil
}

// nameOf returns the name by which aliases and client keys refer to a requested model.
func (s *settings) nameOf(asked string) string {
	name := cmp.Or(asked, s.defaultModel)
	if _, isAlias := s.aliases[name]; isAlias { // also by a name such as models/a
		return name
	}
	if s.upstream.Service == OpenAI { // whose models may well be called google/gemini-3.6-flash
		return strings.TrimPrefix(name, "models/")
	}
	return withoutServer(name)
}

// withoutServer removes the prefix that clients of several servers put before a model name. So
// limits, pauses and fallbacks apply to the model.
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
	general := ModelSettings{FirstByte: defaultFirstByte, Idle: defaultIdle, Overall: defaultOverall}
	if s.isBridged(model) && interactions.IsAgent(model) {
		general = ModelSettings{FirstByte: agentTime, Idle: agentTime, Overall: agentTime}
	}
	return ModelSettings{
		FirstByte: cmp.Or(own.FirstByte, general.FirstByte),
		Idle:      cmp.Or(own.Idle, general.Idle),
		Overall:   cmp.Or(own.Overall, general.Overall),
	}
}

// options returns the options of a Gemini call. A whole answer has the time limit of the request.
func (m ModelSettings) options(streams bool) []gemini.CallOption {
	if !streams {
		return []gemini.CallOption{gemini.WithAttemptTimeout(0)}
	}
	return []gemini.CallOption{gemini.WithAttemptTimeout(m.FirstByte),
		gemini.WithStreamIdleTimeout(m.Idle)}
}

// hintTime is how long the gateway may fetch the list of models for a hint. The client waits for
// its error meanwhile.
const hintTime = time.Second

// hintModel adds a hint to the problem of an unknown model.
func (c *call) hintModel(p *problem.Problem) {
	if hint := c.modelHint(c.end.Model); hint != "" {
		p.Message = strings.TrimSuffix(p.Message, ".") + hint
	}
}

// modelHint returns the end of a message about an unknown model: its replacement, a similar name,
// or how to define an alias. Most users who get this error send the model name of another provider.
// It returns "" if the model is known, because something else is missing then, such as a cache.
func (c *call) modelHint(name string) string {
	listed, _ := c.listedModels(hintTime) // without the list there is less to say
	asked := withoutServer(name)
	isListed := slices.ContainsFunc(listed,
		func(model modellist.Listed) bool { return model.Name == asked })
	if _, isAlias := c.aliases.find(asked); asked == "" || isAlias || isListed {
		return ""
	}
	if hint := c.modelAdvice(asked, listed); hint != "" {
		return hint
	}
	return "; GET /v1/models lists the models, and gemwire serve --alias " + aliasName(asked) +
		"=MODEL maps this name to one of them"
}

// modelAdvice returns a hint on a model that the upstream does not have, or "". It suggests aliases
// and models that the upstream offers, if the client may use them.
func (c *call) modelAdvice(asked string, listed []modellist.Listed) string {
	service, now := c.modelService(), c.modelTime()
	names := c.aliases.names()
	isForeign := c.upstream.Service == OpenAI // whose models are not Google's
	for _, model := range listed {
		if isForeign || modelname.MaySuggest(model.Name, service, now) {
			names = append(names, model.Name)
		}
	}
	if !isForeign {
		names = append(names, modelname.Suggested(service, now)...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return c.permitModel(name) != nil })
	if isForeign {
		return modelname.DidYouMean(asked, names)
	}
	return modelname.Advice(asked, service, now, names)
}

// plainName matches names that the shell and the setting leave unchanged.
var plainName = regexp.MustCompile(`^[-_.:/A-Za-z0-9]{1,64}$`)

// aliasName returns a name for the command in a hint: the name itself if it is plain.
func aliasName(asked string) string {
	if plainName.MatchString(asked) {
		return asked
	}
	return "NAME"
}
