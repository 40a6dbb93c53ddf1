package gemini

import (
	"errors"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/go-json-experiment/json"
)

// EncodeResponse encodes a response as canonical JSON: compact, camelCase names, no HTML escapes,
// free-form values and unknown members as they came.
//
// It returns a *[EncodeError] when r is nil or holds a [jsontext.Value] that is not JSON, or an
// unknown member by the name of a known one.
func EncodeResponse(r *geminiapi.GenerateContentResponse) ([]byte, error) {
	return encode(payloadResponse, r)
}

// AppendResponse appends what [EncodeResponse] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendResponse(dst []byte, r *geminiapi.GenerateContentResponse) ([]byte, error) {
	return appendTo(dst, payloadResponse, r)
}

// WriteResponse writes what [EncodeResponse] returns in one call of w.Write, and nothing if r cannot
// be encoded. An error of w is returned wrapped.
func WriteResponse(w io.Writer, r *geminiapi.GenerateContentResponse) error {
	return write(w, payloadResponse, r)
}

// EncodeRequest encodes a request as canonical JSON, like [EncodeResponse].
func EncodeRequest(r *geminiapi.GenerateContentRequest) ([]byte, error) {
	return encode(payloadRequest, r)
}

// AppendRequest appends what [EncodeRequest] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendRequest(dst []byte, r *geminiapi.GenerateContentRequest) ([]byte, error) {
	return appendTo(dst, payloadRequest, r)
}

// WriteRequest writes what [EncodeRequest] returns, like [WriteResponse].
func WriteRequest(w io.Writer, r *geminiapi.GenerateContentRequest) error {
	return write(w, payloadRequest, r)
}

// EncodeCountTokensRequest encodes the body of a countTokens request, like [EncodeResponse].
func EncodeCountTokensRequest(r *geminiapi.CountTokensRequest) ([]byte, error) {
	return encode(payloadCountTokensRequest, r)
}

// EncodeCountTokensResponse encodes the body of a countTokens answer, like [EncodeResponse].
func EncodeCountTokensResponse(r *geminiapi.CountTokensResponse) ([]byte, error) {
	return encode(payloadCountTokensResponse, r)
}

// EncodeModelList encodes one page of the list of models, like [EncodeResponse].
func EncodeModelList(r *geminiapi.ListModelsResponse) ([]byte, error) {
	return encode(payloadModelList, r)
}

// EncodeModel encodes the description of one model, like [EncodeResponse].
func EncodeModel(m *geminiapi.Model) ([]byte, error) {
	return encode(payloadModel, m)
}

func write[T any, P wireType[T]](w io.Writer, payload string, v *T) error {
	data, err := encode[T, P](payload, v)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("gemini: %s: %w", payload, err)
	}
	return nil
}

// encode tries the generated codec first, which writes nearly everything.
func encode[T any, P wireType[T]](payload string, v *T) ([]byte, error) {
	if v == nil {
		return nil, &EncodeError{Payload: payload, Err: errNothing}
	}
	if data, ok := P(v).AppendPlainJSON(nil); ok {
		return data, nil
	}
	return encodeAnything(payload, v)
}

func appendTo[T any, P wireType[T]](dst []byte, payload string, v *T) ([]byte, error) {
	if v == nil {
		return dst, &EncodeError{Payload: payload, Err: errNothing}
	}
	if out, ok := P(v).AppendPlainJSON(dst); ok {
		return out, nil
	}
	data, err := encodeAnything(payload, v)
	if err != nil {
		return dst, err
	}
	return append(dst, data...), nil
}

// encodeAnything encodes whatever has a form in JSON, and says what is wrong with the rest.
func encodeAnything[T any](payload string, v *T) ([]byte, error) {
	data, err := json.Marshal(v, wirejson.Canonical)
	if err != nil {
		return nil, newEncodeError(payload, err)
	}
	return data, nil
}

// errNothing is the cause of the error that a nil payload meets.
var errNothing = errors.New("nothing to encode")
