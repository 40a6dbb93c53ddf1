package gateway

import (
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// openResources are what keys that are for some models may reach at the server: nothing there is answered by a model, or
// only by one that a method of models has named. Others do reach models: that of an interaction is in its body, and a
// token of the Live API is good at Google itself, past the gateway.
var openResources = map[string]bool{
	"files": true, "cachedContents": true, "batches": true, "operations": true, "fileSearchStores": true, "generatedFiles": true,
}

// permitResource refuses what reaches models that the client's key is not for.
func (c *call) permitResource(op nativeOperation) *problem.Problem {
	if c.key == nil || c.key.PermitsAll() {
		return nil
	}
	kind, name := op.resource()
	switch isRead := c.request.Method == http.MethodGet; {
	case openResources[kind], kind == "models" && isRead && name == "":
		return nil
	case kind == "models" && isRead:
		return c.permitModel(name)
	default:
		return &problem.Problem{
			Status: http.StatusForbidden, Type: problem.TypeInvalidRequest, Code: "permission_denied",
			Message: "this key is for some models alone, and " + c.request.Method + " " + op.path + " could reach others",
		}
	}
}

// resource returns the first part of the path that names a kind of thing, and the rest: "files" and "abc" of
// "/v1beta1/projects/p/locations/l/files/abc".
func (op nativeOperation) resource() (kind, name string) {
	path := strings.TrimPrefix(op.path, "/")
	if way, rest, _ := strings.Cut(path, "/"); way == "upload" || way == "download" {
		path = rest
	}
	_, path, _ = strings.Cut(path, "/") // the version
	for {
		kind, name, _ = strings.Cut(path, "/")
		if kind != "projects" && kind != "locations" && kind != "publishers" {
			return kind, name
		}
		_, path, _ = strings.Cut(name, "/")
	}
}

// isModelList reports whether an operation lists models.
func (c *call) isModelList(op nativeOperation) bool {
	kind, name := op.resource()
	return c.request.Method == http.MethodGet && kind == "models" && name == ""
}

// listedModels is a list of models as the services send it.
type listedModels struct {
	Models          []jsontext.Value `json:"models,omitempty"`
	PublisherModels []jsontext.Value `json:"publisherModels,omitempty"`
	Rest            jsontext.Value   `json:",embed"`
}

// passModelList passes a list of models on, without those that the client's key is not for.
func (c *call) passModelList(reply *gemini.ForwardReply) *problem.Problem {
	body, err := io.ReadAll(io.LimitReader(reply, gemini.DefaultMaxBodySize))
	if err != nil {
		return c.failed(err)
	}
	if reply.HTTPStatus < http.StatusMultipleChoices {
		var list listedModels
		if err := json.Unmarshal(body, &list); err != nil {
			return c.failed(err)
		}
		list.Models, list.PublisherModels = c.permitted(list.Models), c.permitted(list.PublisherModels)
		if body, err = json.Marshal(&list); err != nil {
			return c.failed(err)
		}
	}
	c.setReplyHeader(reply)
	c.writeWhole(reply.HTTPStatus, body)
	return nil
}

// permitted returns those models of a list that the client's key is for.
func (c *call) permitted(models []jsontext.Value) []jsontext.Value {
	var out []jsontext.Value
	for _, model := range models {
		var named struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(model, &named) != nil {
			continue
		}
		if c.permitModel(strings.TrimPrefix(named.Name, "publishers/google/models/")) == nil {
			out = append(out, model)
		}
	}
	return out
}
