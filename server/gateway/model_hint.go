package gateway

import (
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/document"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// hintTime is how long the list of models may take, of which a hint names one: the client waits for its error.
const hintTime = time.Second

// hintModel adds to the problem of a model that is not there what may have been meant, or how the name becomes that of a
// model: most who meet it come with the name of another maker's.
func (c *call) hintModel(p *problem.Problem) {
	names, _ := c.namesOfModels(hintTime) // without them there is less to say
	names = slices.DeleteFunc(names, func(name string) bool { return c.permitModel(name) != nil })
	asked := withoutServer(c.end.Model)
	said := strings.TrimSuffix(p.Message, ".")
	switch meant := document.NearestName(asked, names); {
	case asked == "" || slices.Contains(names, asked): // then something else is not there, such as a cache
		return
	case meant != "":
		p.Message = said + "; did you mean " + meant + "?"
	default:
		p.Message = said + "; GET /v1/models lists what there is, and gemwire serve --alias " + aliasName(asked) +
			"=MODEL has one of them answer to this name"
	}
}

// aliasName returns a name for the command of a hint, of which a shell and the setting make nothing else.
func aliasName(asked string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.:/", r)
	}
	const longest = 64
	if len(asked) > longest || strings.ContainsFunc(asked, func(r rune) bool { return !isPlain(r) }) {
		return "NAME"
	}
	return asked
}
