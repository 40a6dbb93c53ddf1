package gateway

import (
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// describedAlias is an alias to describe: the requested name and the model that it stands for. It
// is empty if the request is for something else.
type describedAlias struct {
	name, model string
	limits      models.Limits // of the model
}

// aliasIn returns the alias that an operation asks to describe.
func (c *call) aliasIn(op native.Operation) describedAlias {
	name := op.ModelResource()
	if c.request.Method != http.MethodGet || name == "" {
		return describedAlias{}
	}
	model, isAlias := c.aliases.find(c.nameOf(name))
	if !isAlias {
		return describedAlias{}
	}
	return c.describeAlias(name, model)
}

// describeAlias returns an alias and the model that it stands for.
func (c *call) describeAlias(name, model string) describedAlias {
	return describedAlias{name: name, model: model, limits: c.modelAt(model).Limits}
}

// describing returns the operation that describes an alias's model instead of the alias.
func (c *call) describing(op native.Operation, model string) native.Operation {
	_, name := op.Resource()
	before := strings.TrimSuffix(op.Path, name)
	// a resource of its own, such as tunedModels/mine
	if strings.Contains(model, "/") && c.upstream.Service != OpenAI {
		op.Path = strings.TrimSuffix(before, "models/") + model
		return op
	}
	op.Path = before + url.PathEscape(model)
	return op
}

// passAlias answers with the description of the model that an alias stands for. Some servers of
// OpenAI's API do not describe their models. Then it describes the alias from what the gateway
// knows, because the alias works all the same.
func (c *call) passAlias(alias describedAlias, reply *gemini.ForwardReply) *problem.Problem {
	body, err := io.ReadAll(reply)
	if err != nil {
		return c.failed(err)
	}
	switch reply.HTTPStatus {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return c.writeJSON(func(dst []byte) ([]byte, error) {
			described, err := alias.description(nil)
			return append(dst, described...), err
		})
	case http.StatusOK:
		if body, err = alias.description(body); err != nil {
			return c.failed(err)
		}
	}
	native.SetReplyHeader(c.writer.Header(), c.request, reply, &c.recorders.Secrets)
	if reply.HTTPStatus >= http.StatusBadRequest {
		body = c.withoutSecrets(body)
	}
	c.writeWhole(reply.HTTPStatus, body)
	return nil
}

// description returns the model's description under the alias's name. It returns nil if the model
// has no description.
func (a describedAlias) description(of jsontext.Value) (jsontext.Value, error) {
	if of == nil {
		known := geminiapi.Model{Name: new("models/" + a.name), DisplayName: &a.name,
			SupportedGenerationMethods: []string{native.VerbGenerate, native.VerbStream}}
		if limits := a.limits; limits.Input != 0 || limits.Output != 0 {
			known.InputTokenLimit, known.OutputTokenLimit = &limits.Input, &limits.Output
		}
		return json.Marshal(&known, jsonx.Canonical)
	}
	var described struct {
		Name string         `json:"name"`
		Rest jsontext.Value `json:",embed"`
	}
	if err := json.Unmarshal(of, &described); err != nil {
		return nil, err
	}
	described.Name = "models/" + a.name
	return json.Marshal(&described)
}

// withAliases puts the aliases that the client may use before a list of models. Each alias has the
// description of its model in that list.
func (c *call) withAliases(list []jsontext.Value) ([]jsontext.Value, error) {
	byName := make(map[string]jsontext.Value, len(list))
	for _, model := range list {
		byName[strings.TrimPrefix(nameIn(model), "models/")] = model
	}
	var out []jsontext.Value
	for _, alias := range c.aliases.names() {
		if _, isListed := byName[alias]; isListed || c.permitModel(alias) != nil {
			continue
		}
		described, err := c.describeAlias(alias,
			c.aliases[alias]).description(byName[c.aliases[alias]])
		if err != nil {
			return nil, err
		}
		out = append(out, described)
	}
	return append(out, list...), nil
}

// nameIn returns the name of a described model.
func nameIn(model jsontext.Value) string {
	var named struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(model, &named) != nil {
		return ""
	}
	return named.Name
}
