package openai_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/openai"
)

func TestWithoutExtensionsPiecesOfASoundInAStreamAreNotLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		parts []string
		want  []string
	}{
		"one sound": {[]string{sound(speechType, "AAE=")},
			[]string{"added /0/candidates/0/content/parts/0", "lost /0/candidates/0/content/parts/0/inlineData/mimeType"}},
		"pieces, of which the second tells that they are joined": {[]string{sound(speechType, "AAE="), sound(speechType, "AgM="), signedPart(sound(speechType, "BAU="))}, []string{
			"added /0/candidates/0/content/parts/0", "lost /0/candidates/0/content/parts/0/inlineData/mimeType",
			"approximated /1/candidates/0/content/parts/0/inlineData/data", "lost /1/candidates/0/content/parts/0/inlineData/mimeType",
			"lost /2/candidates/0/content/parts/0/thoughtSignature", "lost /2/candidates/0/content/parts/0/inlineData/mimeType"}},
		"pieces in one chunk": {[]string{sound(speechType, "AAE=") + "," + sound(speechType, "AgM=")}, []string{
			"added /0/candidates/0/content/parts/0", "approximated /0/candidates/0/content/parts/1/inlineData/data",
			"lost /0/candidates/0/content/parts/0/inlineData/mimeType", "lost /0/candidates/0/content/parts/1/inlineData/mimeType"}},
		"a file between": {[]string{sound(speechType, "AAE="), sound("audio/wav", "UklG"), sound(speechType, "AgM=")}, []string{
			"added /0/candidates/0/content/parts/0", "lost /0/candidates/0/content/parts/0/inlineData/mimeType",
			"lost /1/candidates/0/content/parts/0",
			"approximated /2/candidates/0/content/parts/0/inlineData/data", "lost /2/candidates/0/content/parts/0/inlineData/mimeType"}},
		"a broken one": {[]string{sound(speechType, "AAE="), sound(speechType, "A*=="), sound(speechType, "AgM=")}, []string{
			"added /0/candidates/0/content/parts/0", "lost /0/candidates/0/content/parts/0/inlineData/mimeType",
			"lost /1/candidates/0/content/parts/0", "lost /2/candidates/0/content/parts/0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bodies []string
			for _, parts := range test.parts {
				bodies = append(bodies, `{"responseId":"r","modelVersion":"m","candidates":[{"content":{"role":"model","parts":[`+parts+`]},"finishReason":"STOP"}]}`)
			}
			out := stream(t, bodies, openai.WithoutExtensions())
			reports(t, ofPath(out.report, "content"), test.want...)
		})
	}
}
