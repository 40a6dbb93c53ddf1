package aisdk

import (
	"errors"
	"math"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// google is the provider of the metadata. The SDK's providers for Vertex AI read it too.
const google = "google"

// partMetadata holds the members of a wire part that the SDK has no member for. It uses the names
// that the SDK's own provider reads when a message comes back, where the provider has them.
type partMetadata struct {
	ThoughtSignature string `json:"thoughtSignature,omitzero"`
	Thought          bool   `json:"thought,omitzero"`
	RedactedData     string `json:"redactedData,omitzero"`
	Incomplete       bool   `json:"incomplete,omitzero"`
	// Gemini's id, if the part has another one
	ToolCallID       string              `json:"toolCallId,omitzero"`
	ServerToolCallID string              `json:"serverToolCallId,omitzero"`
	ServerToolType   string              `json:"serverToolType,omitzero"`
	ServerToolName   string              `json:"serverToolName,omitzero"`
	DisplayName      string              `json:"displayName,omitzero"`
	URI              string              `json:"uri,omitzero"`
	FileData         *geminiapi.FileData `json:"fileData,omitzero"`
	Part             *geminiapi.Part     `json:"part,omitzero"`
}

// metadataOf returns the metadata of a text, a thought or a signature.
func metadataOf(e *normalize.Event) partMetadata {
	return partMetadata{ThoughtSignature: e.Signature, Part: e.Extra}
}

func callMetadata(e *normalize.Event) partMetadata {
	return partMetadata{ThoughtSignature: e.Signature, Thought: e.Thought, Part: e.Extra}
}

func blockMetadata(b *normalize.Block) partMetadata {
	return partMetadata{ThoughtSignature: b.Signature, Thought: b.Thought, Part: b.Extra}
}

func (m partMetadata) isEmpty() bool { return m == partMetadata{} }

// provider returns the metadata, or nil if it is empty.
func (m partMetadata) provider() aisdkapi.ProviderMetadata {
	if m.isEmpty() {
		return nil
	}
	return aisdkapi.ProviderMetadata{google: marshal(&m)}
}

// marshal encodes a wire value. It returns nil for a value that no decoder made and that contains
// invalid JSON.
func marshal[T any](v *T) jsontext.Value {
	out, err := json.Marshal(v, wireEncoding)
	if err != nil {
		out, err = json.Marshal(v, wireEncodingNonFinite)
	}
	if err != nil {
		return nil
	}
	return out
}

// lenient accepts what JSON.parse accepts: duplicate members and lone surrogates.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// wireEncoding keeps the escapes of free-form strings.
var wireEncoding = json.JoinOptions(jsonx.WriteByMember, json.Deterministic(true),
	jsontext.PreserveRawStrings(true), lenient)

// wireEncodingNonFinite writes non-finite numbers as strings, like Google. It is separate because
// its function for all numbers would slow down all other encoding.
var wireEncodingNonFinite = json.JoinOptions(wireEncoding, json.WithMarshalers(
	json.MarshalToFunc(func(enc *jsontext.Encoder, v float64) error {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return enc.WriteToken(jsontext.Float(v))
		}
		return errors.ErrUnsupported // the default takes over
	})))
