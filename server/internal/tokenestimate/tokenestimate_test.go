package tokenestimate_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/internal/tokenestimate"
)

func TestTextsOfScripts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "a": 1, "The weather in Porto is fine.": 8, "Погода хорошая": 7, "天気はいいです": 7,
	} {
		if got := tokenestimate.Text(text); got != want {
			t.Errorf("%q: %d tokens, expected %d", text, got, want)
		}
	}
}

func TestAllThatAModelReadsIsCounted(t *testing.T) {
	t.Parallel()
	image := strings.Repeat("AAAA", 1000)
	tests := map[string]struct {
		request string
		want    int
	}{
		"nothing":       {`{}`, 0},
		"a text":        {`{"contents":[{"role":"user","parts":[{"text":"12345678"}]}]}`, 6},
		"instruction":   {`{"systemInstruction":{"parts":[{"text":"12345678"}]},"contents":[]}`, 2},
		"a signed call": {`{"contents":[{"role":"model","parts":[{"functionCall":{"name":"city","args":{"a":"bcd"}},"thoughtSignature":"` + image + `"}]}]}`, 8},
		"a result":      {`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"city","response":{"a":"bcd"},"parts":[{"inlineData":{"mimeType":"image/png","data":"` + image + `"}}]}}]}]}`, 266},
		"an image":      {`{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"` + image + `"}}]}]}`, 262},
		"audio":         {`{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"audio/wav","data":"` + image + `"}}]}]}`, 36},
		"a document":    {`{"contents":[{"role":"user","parts":[{"fileData":{"mimeType":"application/pdf","fileUri":"files/a"}}]}]}`, 262},
		"a tool":        {`{"tools":[{"functionDeclarations":[{"name":"get","description":"Gets."}]}]}`, 19},
	}
	for name, test := range tests {
		request, err := gemini.DecodeRequest([]byte(test.request))
		if err != nil {
			t.Fatal(err)
		}
		if got := tokenestimate.Of(request); got != test.want {
			t.Errorf("%s: %d tokens, expected %d", name, got, test.want)
		}
	}
}
