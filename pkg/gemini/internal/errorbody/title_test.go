package errorbody_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
)

func TestThePageTitleIsTheMessage(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, page, want string }{
		{"plain", `<html><head><title>404 Not Found</title></head>`, "404 Not Found"},
		{"upper case, attributes, space, entities", "<HTML><TITLE lang=en>\n Bad &amp; Gateway&#33; \n</Title>", "Bad & Gateway!"},
		{"empty", `<title></title>`, ""},
		{"the first of two", `<title>a</title><title>b</title>`, "a"},
		{"not closed", `<html><title>a`, ""},
		{"cut within the tag", `<html><titl`, ""},
		{"none", `<html><body>no title</body>`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := errorbody.Read(502, nil, []byte(tt.page)).Message; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
