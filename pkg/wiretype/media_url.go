package wiretype

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MediaURL is a JSON string with the location of media: an address, or the media itself in a data
// URL. It stores the media type and the base64 of a data URL separately, so that a conversion to
// another wire format neither copies, decodes nor joins them. The zero value is the empty string.
type MediaURL struct {
	address  string // Everything, when the URL is not inline.
	mimeType string
	data     string
	inline   bool
}

const (
	dataScheme   = "data:"
	base64Marker = ";base64,"
)

// MediaAddress returns the URL of media elsewhere, unchanged.
func MediaAddress(url string) MediaURL { return MediaURL{address: url} }

// InlineMedia returns the data URL of media in base64. The data is not checked.
func InlineMedia(mimeType, data string) MediaURL {
	return MediaURL{mimeType: mimeType, data: data, inline: true}
}

// ParseMediaURL splits a URL. A URL that is not of the form data:TYPE;base64,DATA is an address and
// stays unchanged. TYPE may be empty and may have parameters.
func ParseMediaURL(url string) MediaURL {
	rest, ok := strings.CutPrefix(url, dataScheme)
	if !ok {
		return MediaAddress(url)
	}
	header, data, ok := strings.Cut(rest, ",")
	mimeType, marked := strings.CutSuffix(header, strings.TrimSuffix(base64Marker, ","))
	if !ok || !marked {
		return MediaAddress(url)
	}
	return InlineMedia(mimeType, data)
}

// Inline returns the media type and the base64 of a data URL. ok is false for an address.
func (u MediaURL) Inline() (mimeType, data string, ok bool) {
	return u.mimeType, u.data, u.inline
}

// Header returns the part of a data URL before the base64, such as "data:image/png;base64,". It
// returns "" for an address.
func (u MediaURL) Header() string {
	if !u.inline {
		return ""
	}
	return dataScheme + u.mimeType + base64Marker
}

// String returns the URL in one piece. It copies the data of a data URL.
func (u MediaURL) String() string {
	if !u.inline {
		return u.address
	}
	return u.Header() + u.data
}

// Len returns the length of the result of String, without building the string.
func (u MediaURL) Len() int {
	if !u.inline {
		return len(u.address)
	}
	return len(dataScheme) + len(u.mimeType) + len(base64Marker) + len(u.data)
}

// IsZero reports whether the URL is the empty string.
func (u MediaURL) IsZero() bool { return u == MediaURL{} }

// MarshalJSON returns the URL as a JSON string.
func (u MediaURL) MarshalJSON() ([]byte, error) { return jsontext.AppendQuote(nil, u.String()) }

// MarshalJSONTo writes the URL as a JSON string.
func (u MediaURL) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteToken(jsontext.String(u.String()))
}

// UnmarshalJSON reads what UnmarshalJSONFrom reads.
func (u *MediaURL) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, u) }

// UnmarshalJSONFrom reads a JSON string; null is the empty string.
func (u *MediaURL) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '"':
		*u = ParseMediaURL(token.String())
	case 'n':
		*u = MediaURL{}
	default:
		return fmt.Errorf("a URL is a string, not %v", token.Kind())
	}
	return nil
}
