package chat_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

const twoTokens = `{"content":{"parts":[{"text":"é!"}]},"finishReason":"STOP","avgLogprobs":-0.3,"logprobsResult":{
	"chosenCandidates":[{"token":"é","logProbability":-0.1},{"token":"!","logProbability":-0.5}],
	"topCandidates":[{"candidates":[{"token":"é","logProbability":-0.1},{"token":"🗼","logProbability":-2.5}]},{}]}}`

func TestLogprobsHaveTheBytesOfTheirTokens(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Candidate(t, twoTokens)
	openaitest.Subset(t,
		openaitest.Encode(t,
			&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}),
		`{"choices":[{"logprobs":{"refusal":null,"content":[
		{"token":"é","logprob":-0.1,"bytes":[195,169],"top_logprobs":[{"token":"é","logprob":-0.1,"bytes":[195,169]},
			{"token":"🗼","logprob":-2.5,"bytes":[240,159,151,188]}]},
		{"token":"!","logprob":-0.5,"bytes":[33],"top_logprobs":[]}]},
		"message":{"extra_content":{"google":{"avg_logprobs":-0.3}}}}]}`)
	if choice.Message.ExtraContent.Google.LogprobsResult != nil {
		t.Error("Gemini's record is there, although it says no more")
	}
	openaitest.Reports(t, report)
}

func TestWithoutLogprobsTheyAreNull(t *testing.T) {
	t.Parallel()
	for _, members := range []string{``, `,"logprobsResult":{}`, `,"avgLogprobs":-1`} {
		choice, _ := openaitest.Candidate(t, `{"finishReason":"STOP"`+members+`}`)
		if out := openaitest.Encode(t,
			&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}}); !strings.Contains(out,
			`"logprobs":null`) {
			t.Errorf("%s gives %s", members, out)
		}
	}
}

func TestGeminisRecordIsKeptWhereItSaysMore(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]string{
		"an id":                    `{"chosenCandidates":[{"token":"a","tokenId":7,"logProbability":-1}]}`,
		"an id of an alternative":  `{"chosenCandidates":[{"token":"a"}],"topCandidates":[{"candidates":[{"token":"a","tokenId":7}]}]}`,
		"a sum":                    `{"chosenCandidates":[{"token":"a","logProbability":-1}],"logProbabilitySum":-1}`,
		"alternatives of no token": `{"chosenCandidates":[{"token":"a"}],"topCandidates":[{},{"candidates":[{"token":"b"}]}]}`,
		"a new member":             `{"chosenCandidates":[{"token":"a"}],"newMember":1}`,
		"a new member of a token":  `{"chosenCandidates":[{"token":"a","newMember":1}]}`,
		"a new member of a place":  `{"chosenCandidates":[{"token":"a"}],"topCandidates":[{"newMember":1}]}`,
		"an infinity":              `{"chosenCandidates":[{"token":"a","logProbability":"-Infinity"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			choice, _ := openaitest.Candidate(t,
				`{"finishReason":"STOP","logprobsResult":`+result+`}`)
			if choice.Message.ExtraContent == nil ||
				choice.Message.ExtraContent.Google.LogprobsResult == nil {
				t.Error("the extension lacks it")
			}
		})
	}
}

func TestLogprobsWithoutANumberAreUnlikely(t *testing.T) {
	t.Parallel()
	const wire = `{"content":{"parts":[{"text":"ab"}]},"finishReason":"STOP","logprobsResult":{"chosenCandidates":[
		{"token":"a","logProbability":"-Infinity"},{"token":"b","logProbability":"NaN"}]}}`
	choice, report := openaitest.Candidate(t, wire)
	var got []float64
	for _, token := range choice.Logprobs.Content {
		got = append(got, token.Logprob)
	}
	if diff := cmp.Diff([]float64{-9999, -9999}, got); diff != "" {
		t.Error(diff)
	}
	openaitest.Reports(t, report, "approximated /candidates/0/logprobsResult")
	out, _ := openaitest.Convert(t, `{"candidates":[`+wire+`]}`)
	checkCompletion(t, "not a number", out)
	if data := openaitest.Encode(t, out); !strings.Contains(data, `"logProbability":"-Infinity"`) ||
		!strings.Contains(data, `"logProbability":"NaN"`) {
		t.Errorf("got %s", data)
	}
}

func TestWithoutExtensionsTheRestIsReported(t *testing.T) {
	t.Parallel()
	_, report := openaitest.Candidate(t,
		`{"finishReason":"STOP","avgLogprobs":-1,"logprobsResult":{"chosenCandidates":[{"token":"a","tokenId":7,"logProbability":-1}],
		"topCandidates":[{"candidates":[{"token":"a","logProbability":-1}]},{"candidates":[{"token":"b"}]}],"logProbabilitySum":-1}}`, chat.WithoutExtensions())
	openaitest.Reports(t, report,
		"lost /candidates/0/avgLogprobs",
		"lost /candidates/0/logprobsResult/chosenCandidates/0/tokenId",
		"lost /candidates/0/logprobsResult/logProbabilitySum",
		"lost /candidates/0/logprobsResult/topCandidates/1",
	)
}
