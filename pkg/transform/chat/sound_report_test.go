package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestWithoutExtensionsPiecesOfASoundInAStreamAreNotLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		parts []string
		want  []string
	}{
		"one sound": {[]string{openaitest.Sound(openaitest.SpeechType, "AAE=")},
			[]string{"added /0/candidates/0/content/parts/0",
				"lost /0/candidates/0/content/parts/0/inlineData/mimeType"}},
		"pieces, and the second reports that they are joined": {[]string{openaitest.Sound(openaitest.SpeechType, "AAE="), openaitest.Sound(openaitest.SpeechType, "AgM="), openaitest.SignedPart(openaitest.Sound(openaitest.SpeechType, "BAU="))},
			[]string{
				"added /0/candidates/0/content/parts/0",
				"lost /0/candidates/0/content/parts/0/inlineData/mimeType",
				"approximated /1/candidates/0/content/parts/0/inlineData/data",
				"lost /1/candidates/0/content/parts/0/inlineData/mimeType",
				"lost /2/candidates/0/content/parts/0/inlineData/mimeType",
				"lost /2/candidates/0/content/parts/0/thoughtSignature"}},
		"pieces in one chunk": {[]string{openaitest.Sound(openaitest.SpeechType, "AAE=") + "," +
			openaitest.Sound(openaitest.SpeechType, "AgM=")}, []string{
			"added /0/candidates/0/content/parts/0",
			"lost /0/candidates/0/content/parts/0/inlineData/mimeType",
			"approximated /0/candidates/0/content/parts/1/inlineData/data",
			"lost /0/candidates/0/content/parts/1/inlineData/mimeType"}},
		"a file between": {[]string{openaitest.Sound(openaitest.SpeechType, "AAE="),
			openaitest.Sound("audio/wav", "UklG"), openaitest.Sound(openaitest.SpeechType, "AgM=")},
			[]string{
				"added /0/candidates/0/content/parts/0",
				"lost /0/candidates/0/content/parts/0/inlineData/mimeType",
				"lost /1/candidates/0/content/parts/0",
				"approximated /2/candidates/0/content/parts/0/inlineData/data",
				"lost /2/candidates/0/content/parts/0/inlineData/mimeType"}},
		"a broken one": {[]string{openaitest.Sound(openaitest.SpeechType, "AAE="),
			openaitest.Sound(openaitest.SpeechType, "A*=="), openaitest.Sound(openaitest.SpeechType,
				"AgM=")}, []string{
			"added /0/candidates/0/content/parts/0",
			"lost /0/candidates/0/content/parts/0/inlineData/mimeType",
			"lost /1/candidates/0/content/parts/0", "lost /2/candidates/0/content/parts/0"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bodies []string
			for _, parts := range test.parts {
				bodies = append(bodies,
					`{"responseId":"r","modelVersion":"m","candidates":[{"content":{"role":"model","parts":[`+
						parts+`]},"finishReason":"STOP"}]}`)
			}
			out := stream(t, bodies, chat.WithoutExtensions())
			openaitest.Reports(t, ofPath(out.report, "content"), test.want...)
		})
	}
}
