package cassette

import (
	"encoding/base64"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// Bytes are bytes that a file shows as text if they are text. If each line ends in CRLF, they are
// in a member crlf with LF. Otherwise they are base64.
type Bytes []byte

// forms are the forms of Bytes other than plain text.
type forms struct {
	CRLF   *string `json:"crlf,omitzero" yaml:"crlf,omitempty"`
	Base64 *string `json:"base64,omitzero" yaml:"base64,omitempty"`
}

// MarshalYAML writes the most readable form.
func (b Bytes) MarshalYAML() (any, error) {
	text := string(b)
	unix := strings.ReplaceAll(text, "\r\n", "\n")
	switch {
	case !utf8.ValidString(text):
		return forms{Base64: new(base64.StdEncoding.EncodeToString(b))}, nil
	case strings.Contains(text, "\r\n") && strings.ReplaceAll(unix, "\n", "\r\n") == text &&
		!strings.Contains(unix, "\r"):
		form := &yaml.Node{Kind: yaml.MappingNode}
		form.Content = []*yaml.Node{{Kind: yaml.ScalarNode, Value: "crlf"}, textNode(unix)}
		return form, nil
	default:
		return textNode(text), nil
	}
}

// textNode is a text in the style that keeps every byte.
func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text,
		Style: yaml.DoubleQuotedStyle}
}

var errNoBytes = errors.New("want a text, or one of crlf and base64")

// UnmarshalJSONFrom reads any form.
func (b *Bytes) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == jsontext.KindString {
		var text string
		err := json.UnmarshalDecode(dec, &text)
		*b = Bytes(text)
		return err
	}
	var form forms
	if err := json.UnmarshalDecode(dec, &form); err != nil {
		return err
	}
	switch {
	case form.CRLF != nil && form.Base64 == nil:
		*b = Bytes(strings.ReplaceAll(*form.CRLF, "\n", "\r\n"))
		return nil
	case form.Base64 != nil && form.CRLF == nil:
		data, err := base64.StdEncoding.DecodeString(*form.Base64)
		*b = data
		return err
	default:
		return errNoBytes
	}
}
