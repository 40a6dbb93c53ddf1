package gateway

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// longestModel is the most bytes of the name of a model.
const longestModel = 256

// askFor notes the model that the client asks for. It refuses what is not a name, and a model that the client's key is not
// for.
func (c *call) askFor(model string) *problem.Problem {
	if p := c.checkModelName(model); p != nil {
		return p
	}
	c.end.Model = model
	return c.permitModel(model)
}

// checkModelName refuses a name that no model can have, unless it is an alias. No name at all stands for the default model.
func (s *settings) checkModelName(name string) *problem.Problem {
	switch _, isAlias := s.aliases[name]; {
	case isAlias:
		return nil
	case len(name) > longestModel:
		return problem.Invalid("invalid_model", "/model",
			"/model: has "+strconv.Itoa(len(name))+" bytes; expected at most "+strconv.Itoa(longestModel))
	case !isModelName(name):
		return problem.Invalid("invalid_model", "/model", "/model: has a character that cannot be printed, or one of "+noModelCharacters)
	default:
		return nil
	}
}

// noModelCharacters could lead a server to another resource. No model has them in its name.
const noModelCharacters = `\ % ? # ;`

func isModelName(name string) bool {
	return len(name) <= longestModel && utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsPrint(r) || r != ' ' && strings.ContainsRune(noModelCharacters, r)
	})
}

// headerModel is the header with the model that answers.
const headerModel = "X-Gemwire-Model"

// showModel sets the header with the model that answers.
func (c *call) showModel(name string) {
	headervalue.Set(c.writer.Header(), headerModel, c.recorders.Secrets.Name(name))
}
