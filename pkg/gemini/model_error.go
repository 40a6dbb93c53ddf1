package gemini

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
)

// ErrModelRequired is returned for a request that names no model, by a client that has none either. Set the member
// Model of the request, such as new("gemini-3.6-flash"), or give the client a model for all by [WithModel].
var ErrModelRequired = endpoint.ErrNoModel

// ModelError reports a model that has no address at the service that the client calls, such as a model of Vertex AI at
// the Gemini API. Nothing was sent.
type ModelError struct {
	// Model is the name of the model. API keys in it are redacted.
	Model string
	// Problem describes what is wrong with the name, such as "the model is one of Vertex AI, and the client calls the
	// Gemini API".
	Problem string
}

// Error returns one line such as `gemini: model "a//b": the name has an empty segment, a dot segment or a control
// character`.
func (e *ModelError) Error() string {
	return fmt.Sprintf("gemini: model %.200q: %s", e.Model, e.Problem)
}

// Reason returns Problem.
func (e *ModelError) Reason() string { return e.Problem }

// wrongModel returns the error for a model's name that the endpoint refused with err. Keys in the name, where they do
// not belong, are redacted.
func (s *settings) wrongModel(name string, err error) error {
	if errors.Is(err, endpoint.ErrNoModel) {
		return err
	}
	return &ModelError{Model: redact.Text(name, s.known()...), Problem: err.Error()}
}
