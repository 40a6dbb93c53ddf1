package wiretype_test

import (
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
)

func TestMediaURLDistinguishesDataFromAddresses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, url      string
		mimeType, data string
		inline         bool
	}{
		{"a data URL", "data:image/png;base64,iVBORw0KGgo=", "image/png", "iVBORw0KGgo=", true},
		{"a media type with a parameter", "data:audio/L16;rate=24000;base64,AAAA", "audio/L16;rate=24000", "AAAA", true},
		{"no media type", "data:;base64,AAAA", "", "AAAA", true},
		{"no data", "data:image/png;base64,", "image/png", "", true},
		{"a web address", "https://example.com/a.png?x=data:;base64,", "", "", false},
		{"data that is not base64", "data:text/plain,hello", "", "", false},
		{"nothing after the scheme", "data:", "", "", false},
		{"the empty string", "", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := wiretype.ParseMediaURL(tt.url)
			mimeType, data, inline := u.Inline()
			if mimeType != tt.mimeType || data != tt.data || inline != tt.inline {
				t.Errorf("got (%q, %q, %v), want (%q, %q, %v)", mimeType, data, inline, tt.mimeType,
					tt.data, tt.inline)
			}
			if u.String() != tt.url {
				t.Errorf("String() = %q, want %q", u.String(), tt.url)
			}
			if u.Len() != len(tt.url) {
				t.Errorf("Len() = %d, want %d", u.Len(), len(tt.url))
			}
			if u.IsZero() != (tt.url == "") {
				t.Errorf("IsZero() = %v", u.IsZero())
			}
		})
	}
}

func TestMediaURLIsAJSONString(t *testing.T) {
	t.Parallel()
	type image struct {
		URL wiretype.MediaURL `json:"url,omitzero"`
	}
	for _, in := range []string{
		`{"url":"data:image/png;base64,AAAA"}`, `{"url":"gs://bucket/a\"b"}`, `{}`,
	} {
		var got image
		if err := json.Unmarshal([]byte(in), &got); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		out, err := json.Marshal(got)
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if string(out) != in {
			t.Errorf("got %s, want %s", out, in)
		}
	}
	var got image
	if err := json.Unmarshal([]byte(`{"url":7}`), &got); err == nil {
		t.Error("a number was accepted")
	}
	if err := json.Unmarshal([]byte(`{"url":null}`), &got); err != nil || !got.URL.IsZero() {
		t.Errorf("null: %v, %v", got, err)
	}
}

func FuzzParseMediaURL(f *testing.F) {
	f.Add("data:image/png;base64,AAAA")
	f.Add("https://example.com/")
	f.Add("data:a,b;base64,c")
	f.Fuzz(func(t *testing.T, url string) {
		if got := wiretype.ParseMediaURL(url).String(); got != url {
			t.Errorf("got %q, want %q", got, url)
		}
	})
}

func ExampleMediaURL() {
	u := wiretype.InlineMedia("image/png", "iVBORw0KGgo=")
	fmt.Println(u)
	mimeType, _, _ := wiretype.ParseMediaURL("data:image/webp;base64,UklGRg==").Inline()
	fmt.Println(mimeType)
	// Output:
	// data:image/png;base64,iVBORw0KGgo=
	// image/webp
}
