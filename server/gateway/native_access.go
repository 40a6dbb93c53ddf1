package gateway

import (
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// permitResource refuses what reaches models that the client's key is not for.
func (c *call) permitResource(op native.Operation) *problem.Problem {
	model := op.ModelResource()
	if p := c.checkModelName(model); p != nil {
		return p
	}
	if c.key == nil || c.key.PermitsAll() {
		return nil
	}
	isRead := c.request.Method == http.MethodGet
	switch {
	case isRead && model != "":
		return c.permitModel(model)
	case op.IsOpen(), c.isModelList(op):
		return nil
	default:
		return &problem.Problem{
			Status: http.StatusForbidden, Type: problem.TypeInvalidRequest, Code: "permission_denied",
			Message: "this key is for some models alone, and " + c.request.Method + " " + op.Path + " could reach others",
		}
	}
}

// checkForeignName refuses a name of a model that is escaped in a path, except where another server than Google's describes
// its models: only there names have slashes.
func (c *call) checkForeignName(op native.Operation) *problem.Problem {
	isForeign := c.upstream.BaseURL != "" && !c.upstream.isVertexAI()
	if !strings.Contains(op.Path, "%") || isForeign && c.request.Method == http.MethodGet {
		return nil
	}
	return modelNotFound(op.ModelResource())
}

// isModelList reports whether an operation lists models.
func (c *call) isModelList(op native.Operation) bool {
	kind, name := op.Resource()
	return c.request.Method == http.MethodGet && kind == "models" && name == ""
}

// listedModels is a list of models as the services send it.
type listedModels struct {
	Models          []jsontext.Value `json:"models,omitempty"`
	PublisherModels []jsontext.Value `json:"publisherModels,omitempty"`
	Rest            jsontext.Value   `json:",embed"`
}

// isListChanged reports whether a list of models differs from that of the upstream: by the aliases, which its first page has, or
// by the models that the client's key is for.
func (c *call) isListChanged() bool {
	return c.key != nil && !c.key.PermitsAll() || c.listsAliases()
}

func (c *call) listsAliases() bool {
	return len(c.aliases) > 0 && c.request.URL.Query().Get("pageToken") == ""
}

// passModelList passes a list of models on, with the aliases, and without those that the client's key is not for.
func (c *call) passModelList(reply *gemini.ForwardReply) *problem.Problem {
	body, err := io.ReadAll(reply)
	if err != nil {
		return c.failed(err)
	}
	if reply.HTTPStatus < http.StatusMultipleChoices {
		var list listedModels
		if err := json.Unmarshal(body, &list); err != nil {
			return c.failed(err)
		}
		list.Models, list.PublisherModels = c.permitted(list.Models), c.permitted(list.PublisherModels)
		if list.PublisherModels == nil && c.listsAliases() {
			if list.Models, err = c.withAliases(list.Models); err != nil {
				return c.failed(err)
			}
		}
		if body, err = json.Marshal(&list); err != nil {
			return c.failed(err)
		}
	}
	native.SetReplyHeader(c.writer.Header(), c.request, reply, &c.recorders.Secrets)
	c.writeWhole(reply.HTTPStatus, body)
	return nil
}

// permitted returns those models of a list that the client's key is for.
func (c *call) permitted(models []jsontext.Value) []jsontext.Value {
	var out []jsontext.Value
	for _, model := range models {
		name := nameIn(model)
		if name != "" && c.permitModel(strings.TrimPrefix(name, "publishers/google/models/")) == nil {
			out = append(out, model)
		}
	}
	return out
}
