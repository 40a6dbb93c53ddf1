package gateway

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/anthropicserver"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// anthropicForm is Anthropic's API, of which each operation is a form of its own. It answers for other paths of its
// clients.
var anthropicForm = anthropicOperation("")

// anthropicOperation returns the form of an operation.
func anthropicOperation(name string) form {
	return form{
		name: name, idHeader: "Request-Id", status: anthropicStatus, appendProblem: appendAnthropicProblem, beats: true,
	}
}

// anthropicRoutes adds the paths of Anthropic's API but those of models, which are OpenAI's too: those go by who asks.
func anthropicRoutes(router chi.Router, s *setup) {
	api := s.anthropicAPI()
	router.Post("/v1/messages", api.CreateMessage)
	router.Post("/v1/messages/count_tokens", api.CountTokens)
	router.Head("/", s.serveWarmUp)
	router.Head("/api/hello", s.serveWarmUp)
}

// anthropicAPI returns what reads the parameters of operations.
func (s *setup) anthropicAPI() *anthropicserver.ServerInterfaceWrapper {
	return &anthropicserver.ServerInterfaceWrapper{Handler: anthropicServer{s}, ErrorHandlerFunc: s.refuseParameter}
}

// anthropicServer has a method for each operation of the description.
type anthropicServer struct{ *setup }

// serveWarmUp answers Claude Code, which opens its connection before it has anything to ask.
func (s *setup) serveWarmUp(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &anthropicForm, func(c *call) *Problem {
		c.isAnswered, c.end.Status = true, http.StatusOK
		c.writer.WriteHeader(http.StatusOK)
		return nil
	})
}

// isFromAnthropicsClient reports whether a client of Anthropic's API asks, where a path alone does not tell.
func isFromAnthropicsClient(r *http.Request) bool {
	return r.Header.Get("Anthropic-Version") != "" || strings.HasPrefix(r.UserAgent(), claudeCode) ||
		strings.HasPrefix(r.URL.Path, "/v1/messages")
}

// anthropicStatus returns the status of a problem. Clients come back later for 529, and at once for 503.
func anthropicStatus(p *Problem) int {
	if p.Status == http.StatusServiceUnavailable {
		return anthropic.StatusOverloaded
	}
	return p.Status
}

// appendAnthropicProblem appends the envelope of a problem.
func appendAnthropicProblem(dst []byte, p *Problem, requestID string) []byte {
	body := anthropic.ErrorBody(anthropicErrorType(p), anthropicMessage(p), requestID)
	body.Error.Details = problemDetails(p)
	encoded, err := anthropic.EncodeErrorResponse(body)
	if err != nil { // of details that are no JSON, which they are
		return append(dst, `{"type":"error","error":{"type":"api_error","message":"the request failed"}}`...)
	}
	return append(dst, encoded...)
}

// anthropicErrorType returns what Anthropic calls a problem.
func anthropicErrorType(p *Problem) anthropicapi.ErrorType {
	return anthropic.ErrorTypeOf(anthropicStatus(p))
}

// tokenCounts finds in Google's message how many tokens a prompt has, and how many it may have.
var tokenCounts = regexp.MustCompile(`token count \(?(\d+)\)? exceeds the maximum number of tokens allowed \(?(\d+)\)?`)

// anthropicMessage words a problem so that Anthropic's clients do something about it: by "prompt is too long" Claude Code
// shortens the conversation.
func anthropicMessage(p *Problem) string {
	switch p.Code {
	case codeTooLong:
		if counts := tokenCounts.FindStringSubmatch(p.Message); counts != nil {
			return "prompt is too long: " + counts[1] + " tokens > " + counts[2] + " maximum"
		}
		return "prompt is too long: " + p.Message
	case codeModelNotFound:
		return "model: " + p.Message
	default:
		return p.Message
	}
}

// problemDetails returns the code of a problem, and the message that another one has taken the place of; nil for none.
func problemDetails(p *Problem) jsontext.Value {
	if p.Code == "" {
		return nil
	}
	details := struct {
		Code    string `json:"error_code"`
		Param   string `json:"param,omitzero"`
		Message string `json:"upstream_message,omitzero"`
	}{Code: p.Code, Param: p.Param}
	if message := anthropicMessage(p); message != p.Message {
		details.Message = p.Message
	}
	told, err := json.Marshal(details, wirejson.Canonical, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return told
}
