package chat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// A completion without extensions has the same losses for a whole answer, for an answer in one
// chunk, and for the merged chunks of a stream.
func TestWithoutExtensionsTheLossesAreTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	for candidates, want := range map[string][]string{
		`{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP","finishMessage":""}`:  nil,
		`{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP","finishMessage":"m"}`: {"/candidates/0/finishMessage"},
		`{"finishReason":"STOP","index":-1}`:                                             {"/candidates/0/index"},
		`{"finishReason":"STOP"},{"finishReason":"STOP","index":-7}`:                     {"/candidates/1/index"},
		answerWithArguments(`null`):                                                      nil,
		answerWithArguments(`{}`):                                                        nil,
		answerWithArguments(`[]`):                                                        {"/candidates/0/content/parts/0/functionCall/args"},
		answerWithArguments(`[7]`):                                                       {"/candidates/0/content/parts/0/functionCall/args"},
		answerWithArguments(`"x"`):                                                       {"/candidates/0/content/parts/0/functionCall/args"},
		answerWithArguments(`false`):                                                     {"/candidates/0/content/parts/0/functionCall/args"},
	} {
		checkLosses(t, `{"candidates":[`+candidates+`]}`, want)
	}
}

// A completion without extensions has no member for filter results of an answered prompt. If the
// prompt is refused, its filter results are in the refusal.
func TestWithoutExtensionsTheLostPromptFeedbackIsTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	for feedback, want := range map[string]struct{ answered, refused []string }{
		`{"blockReason":""}`:                                {},
		`{"blockReason":"","blockReasonMessage":""}`:        {},
		`{"blockReasonMessage":"m"}`:                        {answered: []string{"/promptFeedback"}},
		`{"blockReason":"","blockReasonMessage":"m"}`:       {answered: []string{"/promptFeedback"}},
		`{"blockReason":"SAFETY","blockReasonMessage":"m"}`: {answered: []string{"/candidates/0/finishReason"}},
		`{"blockReason":"","safetyRatings":[{"category":"A"}]}`: {[]string{"/promptFeedback"},
			[]string{"/promptFeedback"}},
		`{"blockReasonMessage":"m","safetyRatings":[{"category":"A"}]}`: {[]string{"/promptFeedback"},
			[]string{"/promptFeedback/safetyRatings"}},
	} {
		checkLosses(t, `{"promptFeedback":`+feedback+
			`,"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
			want.answered)
		checkLosses(t, `{"promptFeedback":`+feedback+`}`, want.refused)
	}
}

// Base64 of the URL alphabet is not joined with other sound, because its spelling would change.
func TestWithoutExtensionsASoundThatIsNoPieceIsLostTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	first, urlSafe := openaitest.Sound(openaitest.SpeechType, "AAE="),
		openaitest.Sound(openaitest.SpeechType, "-_8=")
	for parts, want := range map[string][]string{
		first + "," + urlSafe: {"/candidates/0/content/parts/0/inlineData/mimeType",
			"/candidates/0/content/parts/1"},
		urlSafe + "," + first: {"/candidates/0/content/parts/0/inlineData/mimeType",
			"/candidates/0/content/parts/1"},
		first + "," + urlSafe + "," + first: {"/candidates/0/content/parts/0/inlineData/mimeType",
			"/candidates/0/content/parts/1", "/candidates/0/content/parts/2"},
	} {
		checkLosses(t, `{"candidates":[{"content":{"parts":[`+parts+`]},"finishReason":"STOP"}]}`,
			want)
	}
}

// checkLosses checks the losses of a body in each form.
func checkLosses(t *testing.T, body string, want []string) {
	t.Helper()
	chunks := openaitest.DecodeAll(t, []string{body})
	_, whole, err := chat.FromGemini(chunks[0], chat.WithoutExtensions())
	if err != nil {
		t.Fatal(err)
	}
	streamed := convertStream(t, chunks, nil, chat.WithoutExtensions(), chat.WithUsage()).report
	merged := normalize.Merge(chunks...)
	_, together, err := chat.FromGemini(merged.Response, chat.WithoutExtensions())
	if err != nil {
		t.Fatal(err)
	}
	for form, got := range map[string][]string{
		"whole":    lossesAt(whole, ""),
		"streamed": lossesAt(streamed, "/0"),
		"together": lossesAt(merged.InChunks(together), "/0"),
	} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s: -want +got:\n%s", body, form, diff)
		}
	}
}

func answerWithArguments(args string) string {
	return `{"content":{"parts":[{"functionCall":{"name":"f","id":"c","args":` + args +
		`}}]},"finishReason":"STOP"}`
}

// lossesAt returns the pointers of the losses below a pointer.
func lossesAt(entries report.Report, place string) (out []string) {
	for _, e := range entries {
		if e.Kind == report.Lost {
			out = append(out, strings.TrimPrefix(e.Pointer, place))
		}
	}
	slices.Sort(out)
	return out
}
