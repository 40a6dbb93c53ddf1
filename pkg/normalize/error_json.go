package normalize

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// errorForm is the JSON form of an [Error]. It leaves out the error that an Error describes.
type errorForm struct {
	Category     Category `json:"category"`
	HTTPStatus   int      `json:"http_status,omitzero"`
	Message      string   `json:"message"`
	ProviderCode string   `json:"provider_code,omitzero"`
	RetryAfterMS int64    `json:"retry_after_ms,omitzero"`
}

// MarshalJSONTo writes the error as an object with category, http_status, message, provider_code and
// retry_after_ms, a number of milliseconds, each of the numbers only if it is not 0. Err is left out.
func (e *Error) MarshalJSONTo(enc *jsontext.Encoder) error {
	return json.MarshalEncode(enc, &errorForm{
		Category:     e.Category,
		HTTPStatus:   e.HTTPStatus,
		Message:      strings.ToValidUTF8(e.Message, "\uFFFD"),
		ProviderCode: e.ProviderCode,
		RetryAfterMS: e.RetryAfter.Milliseconds(),
	})
}

// UnmarshalJSONFrom reads what [Error.MarshalJSONTo] writes.
func (e *Error) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var form errorForm
	if err := json.UnmarshalDecode(dec, &form); err != nil {
		return err
	}
	*e = Error{
		Category:     form.Category,
		HTTPStatus:   form.HTTPStatus,
		Message:      form.Message,
		ProviderCode: form.ProviderCode,
		RetryAfter:   time.Duration(form.RetryAfterMS) * time.Millisecond,
	}
	return nil
}
