package main

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/test/descriptiontest"
)

// form is one API, and what its description says of the answers.
type form struct {
	idHeader, idStart string
	// check holds a body to a schema of the description.
	check func(schema string, body []byte) error
	// checkStream holds a stream to the description, and its events to their order; a stream that
	// its client left is not whole.
	checkStream func(body []byte, isWhole bool) []error
	// answers name the schema of each answer's body, by the pattern of the path.
	answers []operation
}

// operation is a request to the API. Without a schema the description does not have it.
type operation struct{ method, path, schema string }

// openAI is OpenAI's API but for responses.
var openAI = form{
	idHeader: "X-Request-Id", idStart: "req_", check: descriptiontest.CheckOpenAI,
	checkStream: checkChunks,
	answers: []operation{
		{http.MethodPost, "/v1/chat/completions", "CreateChatCompletionResponse"},
		{http.MethodPost, "/v1/embeddings", "CreateEmbeddingResponse"},
		{http.MethodGet, "/v1/models", "ListModelsResponse"},
		{http.MethodGet, "/v1/models/*", "Model"},
		{http.MethodPost, "/v1/files", "File"},
		{http.MethodGet, "/v1/files", "ListFilesResponse"},
		{http.MethodGet, "/v1/files/*", "File"},
		{http.MethodDelete, "/v1/files/*", "DeletedFile"},
		{http.MethodPost, "/v1/batches", "Batch"},
		{http.MethodGet, "/v1/batches", "ListBatchesResponse"},
		{http.MethodGet, "/v1/batches/*", "Batch"},
		{http.MethodPost, "/v1/batches/*/cancel", "Batch"},
		{http.MethodGet, "/v1/organization/usage/*", ""},
		{http.MethodGet, "/v1/organization/costs", ""},
	},
}

// responsesAPI is OpenAI's API of responses.
var responsesAPI = form{
	idHeader: "X-Request-Id", idStart: "req_", check: descriptiontest.CheckOpenAI,
	checkStream: checkResponseEvents,
	answers: []operation{
		{http.MethodPost, "/v1/responses", "Response"},
		{http.MethodGet, "/v1/responses/*", "Response"},
		{http.MethodDelete, "/v1/responses/*", "DeletedResponse"},
		{http.MethodPost, "/v1/responses/*/cancel", "Response"},
		{http.MethodGet, "/v1/responses/*/input_items", "ResponseItemList"},
		{http.MethodPost, "/v1/responses/input_tokens", "CountInputTokensResponse"},
		{http.MethodPost, "/v1/responses/compact", "CompactedResponse"},
		{http.MethodPost, "/v1/conversations", ""},
		{http.MethodGet, "/v1/conversations/*", ""},
		{http.MethodPost, "/v1/conversations/*", ""},
		{http.MethodDelete, "/v1/conversations/*", ""},
		{http.MethodPost, "/v1/conversations/*/items", "ResponseItemList"},
		{http.MethodGet, "/v1/conversations/*/items", "ResponseItemList"},
		{http.MethodGet, "/v1/conversations/*/items/*", "ResponseItem"},
		{http.MethodDelete, "/v1/conversations/*/items/*", ""},
	},
}

// messagesAPI is Anthropic's API.
var messagesAPI = form{
	idHeader: "Request-Id", idStart: "req_", check: descriptiontest.CheckAnthropic,
	checkStream: checkMessageEvents,
	answers: []operation{
		{http.MethodPost, "/v1/messages", "Message"},
		{http.MethodPost, "/v1/messages/count_tokens", "MessageTokensCount"},
		{http.MethodGet, "/v1/models", "ListModelsResponse"},
		{http.MethodGet, "/v1/models/*", "Model"},
	},
}

// interactionsAPI is Google's API of interactions.
var interactionsAPI = form{
	idHeader: "X-Request-Id", idStart: "req_", check: descriptiontest.CheckInteractions,
	checkStream: checkInteractionEvents,
	answers: []operation{
		{http.MethodPost, "/*/interactions", "Interaction"},
		{http.MethodGet, "/*/interactions/*", "Interaction"},
		{http.MethodDelete, "/*/interactions/*", ""},
		{http.MethodPost, "/*/interactions/*/cancel", "Interaction"},
	},
}

// interactionsPath matches the paths of interactions.
var interactionsPath = regexp.MustCompile(`^/v1(beta)?/interactions(/|$)`)

// formOf returns the API that an answer is of, nil for Google's own paths.
func formOf(a answer) *form {
	switch {
	case interactionsPath.MatchString(a.path):
		return &interactionsAPI
	case !strings.HasPrefix(a.path, "/v1/") || strings.HasPrefix(a.path, "/v1/projects/"):
		return nil
	case strings.HasPrefix(a.path, "/v1/messages") || a.asksAnthropic:
		return &messagesAPI
	case strings.HasPrefix(a.path, "/v1/responses"), strings.HasPrefix(a.path, "/v1/conversations"):
		return &responsesAPI
	default:
		return &openAI
	}
}

// check says what is wrong with an answer.
func check(a answer, header http.Header, body []byte) []error {
	f := formOf(a)
	if f == nil {
		return nil
	}
	var faults []error
	if id := header.Get(f.idHeader); !strings.HasPrefix(id, f.idStart) {
		faults = append(faults, fmt.Errorf("the request has no id: %q", id))
	}
	mediaType, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case mediaType == "text/event-stream":
		streamed := f.checkStream(body, a.isWhole)
		if a.isResumed {
			streamed = slices.DeleteFunc(streamed,
				func(fault error) bool { return errors.Is(fault, errOrder) })
		}
		return append(faults, streamed...)
	case mediaType == "application/octet-stream" &&
		strings.HasSuffix(a.path, "/content"): // a file, which may be anything
		return faults
	case mediaType != "application/json": // of which openai-node makes a text
		return append(faults, fmt.Errorf("the answer is of the type %q", mediaType))
	case a.isWhole:
		if schema := f.schemaOf(a); schema != "" {
			if err := f.check(schema, body); err != nil {
				faults = append(faults, err)
			}
		}
	}
	return faults
}

// schemaOf returns what the description calls the body of an answer.
func (f *form) schemaOf(a answer) string {
	if a.status < http.StatusBadRequest {
		for _, o := range f.answers {
			if matches, _ := path.Match(o.path, a.path); matches && o.method == a.method {
				return o.schema
			}
		}
	}
	return "ErrorResponse"
}

func checkChunks(body []byte, isWhole bool) (faults []error) {
	if isWhole {
		_, faults = descriptiontest.CheckOpenAIStream(body)
	} else {
		_, faults = descriptiontest.CheckOpenAIEvents(body)
	}
	return faults
}

// errOrder begins what is wrong with the order of events.
var errOrder = errors.New("the events are not in order")
