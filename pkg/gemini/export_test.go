package gemini

import (
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
)

// DecodeAnyForm decodes a payload without the generated codec.
func DecodeAnyForm[T any, P codec.Type[T]](payload string, data []byte) (*T, error) {
	return codec.DecodeAnyForm[T, P](codec.Payload{Wire: "gemini", Name: payload}, data)
}

// EncodeAnything encodes a payload without the generated codec.
func EncodeAnything[T any](v *T) ([]byte, error) { return json.Marshal(v, jsonx.Canonical) }

// WithRandom sets the source of the client's random numbers, which are at least 0 and below 1.
func WithRandom(random func() float64) ClientOption {
	return clientOption(func(s *settings) { s.retry.Random = random })
}
