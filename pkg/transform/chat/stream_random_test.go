package chat_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// Random streams of recorded chunk contents reach cases that neither the recorded streams nor the
// fuzzer reach: members that replace, repeat and continue each other across chunks, in any order.
func TestAnyStreamKeepsTheRules(t *testing.T) {
	t.Parallel()
	streams, most := 600, 60
	if testing.Short() {
		streams, most = 20, 4
	}
	random := rand.New(rand.NewPCG(7, 11))
	for range streams {
		bodies := randomStream(random)
		for name, opts := range streamModes {
			opts = append([]chat.Option{chat.WithToolCallIDs(idOfPart)}, opts...)
			out := convertStream(t, openaitest.DecodeAll(t, bodies), nil, opts...)
			checkBody(t, openaitest.DecodeAll(t, bodies), nil, out, opts...)
			if out.err == nil {
				if lost := out.report.Of(report.Lost); lost != nil &&
					!strings.Contains(name, "without extensions") {
					t.Errorf("%s: %v", name, lost)
				}
				checkAccumulated(t, name, openaitest.DecodeAll(t, bodies), out, opts...)
				checkStreamComplete(t, name, bodies, most, opts...)
			}
			if t.Failed() {
				t.Fatal(strings.Join(bodies, "\n"))
			}
		}
	}
}

func randomStream(random *rand.Rand) []string {
	var out []string
	for i := range 1 + random.IntN(5) {
		members := []string{}
		for _, list := range [][]string{randomIdentities, randomUsages, randomResponseMembers} {
			if random.IntN(2) == 0 {
				members = append(members, pick(random, list))
			}
		}
		if i == 0 && random.IntN(4) > 0 {
			members = append(members, `"candidates":[{"finishReason":"STOP"}]`) // more may follow
		} else if random.IntN(4) > 0 {
			members = append(members, `"candidates":[`+randomCandidates(random)+`]`)
		}
		out = append(out, "{"+strings.Join(members, ",")+"}")
	}
	return out
}

func randomCandidates(random *rand.Rand) string {
	var out []string
	for range 1 + random.IntN(2) {
		var parts []string
		for range random.IntN(4) {
			parts = append(parts, pick(random, randomParts))
		}
		members := []string{fmt.Sprintf(`"content":{%s"parts":[%s]}`, pick(random, randomRoles),
			strings.Join(parts, ","))}
		seen := map[string]bool{}
		for range random.IntN(4) {
			member := pick(random, randomMembers)
			if name, _, _ := strings.Cut(member, ":"); !seen[name] {
				seen[name] = true
				members = append(members, member)
			}
		}
		out = append(out, "{"+strings.Join(members, ",")+"}")
	}
	return strings.Join(out, ",")
}

func pick(random *rand.Rand, list []string) string { return list[random.IntN(len(list))] }

var (
	randomIdentities = []string{`"responseId":"r"`, `"responseId":"s"`, `"modelVersion":"m"`,
		`"modelVersion":"n","responseId":"r"`, `"createTime":"2026-11-20T10:00:00.5Z"`, `"createTime":"never"`}

	randomUsages = []string{
		`"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"totalTokenCount":7}`,
		`"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":4,"totalTokenCount":9,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":5}]}`,
		`"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":4,"thoughtsTokenCount":4,"totalTokenCount":9,"newMember":1}`,
		`"usageMetadata":{"trafficType":"ON_DEMAND"}`,
		`"usageMetadata":{"trafficType":"PROVISIONED_THROUGHPUT","newMember":2}`,
		`"usageMetadata":{"totalTokenCount":9,"serviceTier":"flex"}`,
	}

	randomResponseMembers = []string{
		`"promptFeedback":{"safetyRatings":[{"probability":"LOW"}]}`,
		`"promptFeedback":{"safetyRatings":[{"probability":"HIGH"}],"newMember":1}`,
		`"promptFeedback":{"blockReasonMessage":"none"}`,
		`"promptFeedback":{"blockReasonMessage":"some"}`,
		`"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"some"}`,
		`"promptFeedback":{"blockReason":"OTHER"}`,
		`"modelStatus":{"modelStage":"STABLE"}`, `"modelStatus":{"modelStage":"RETIRED"}`,
		`"newMember":1`, `"newMember":[2],"other":{"a":1}`,
	}

	randomRoles = []string{`"role":"model",`, `"role":"model",`, `"role":"user",`, ``}

	randomParts = []string{
		`{"text":"a"}`, `{"text":"è b"}`, `{"text":""}`, `{"text":"","thoughtSignature":"s1"}`,
		`{"text":"signed","thoughtSignature":"s2"}`,
		`{"text":"c","newMember":1}`, `{"text":"t","thought":true}`, `{"text":"","thought":true}`,
		`{"text":"u","thought":true,"thoughtSignature":"s3"}`,
		`{"thoughtSignature":"s4"}`, `{"thought":true}`, `{}`, `{"newKind":{"a":1}}`,
		`{"functionCall":{"name":"f","args":{"x":[1,"y"]}}}`,
		`{"functionCall":{"id":"q1","name":"g"},"thoughtSignature":"s5"}`,
		`{"functionCall":{"id":"gemini-call-x","name":"g","args":[1]}}`,
		`{"functionCall":{"name":"h","willContinue":true},"thoughtSignature":"s6"}`,
		`{"functionCall":{"name":"k","id":"q2","partialArgs":[{"jsonPath":"$.a","stringValue":"v","willContinue":true}],"willContinue":true}}`,
		`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"w"},{"jsonPath":"$.b[0]","numberValue":2}],"willContinue":true}}`,
		`{"functionCall":{"partialArgs":[{"jsonPath":"$.b[1]","boolValue":true},{"jsonPath":"?","nullValue":"NULL_VALUE"}]},"thoughtSignature":"s7"}`,
		`{"functionCall":{"willContinue":false},"newMember":2}`, `{"functionCall":{}}`,
		`{"functionCall":{"args":{"a":"vw","b":[2]}}}`,
		`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"another"},{"jsonPath":"$.b[7]","numberValue":1}],"willContinue":true}}`,
		`{"inlineData":{"mimeType":"image/png","data":"AA==","displayName":"d"}}`,
		`{"inlineData":{"mimeType":"image/png","data":"BB=="},"thought":true}`,
		`{"inlineData":{"mimeType":"audio/L16","data":"AA=="}}`,
		`{"inlineData":{"mimeType":"audio/L16","data":"AQI="},"thoughtSignature":"s8"}`,
		`{"inlineData":{"mimeType":"audio/L16","data":"CC=="}}`,
		`{"inlineData":{"mimeType":"audio/pcm","data":"AQID"}}`,
		`{"inlineData":{"mimeType":"audio/wav","data":"CC=="}}`,
		`{"inlineData":{"mimeType":"video/mp4","data":"DD=="},"videoMetadata":{"fps":1}}`,
		`{"fileData":{"fileUri":"gs://a","mimeType":"text/plain"}}`,
		`{"executableCode":{"id":"c1","language":"PYTHON","code":"1"}}`,
		`{"codeExecutionResult":{"id":"c1","outcome":"OUTCOME_OK","output":"1"}}`,
		`{"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{"q":"x"}}}`,
		`{"toolResponse":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","response":{"r":1}}}`,
	}

	randomMembers = []string{
		`"index":0`, `"index":1`, `"finishReason":"STOP"`, `"finishReason":"MAX_TOKENS"`,
		`"finishReason":"SAFETY"`, `"finishReason":"FINISH_REASON_UNSPECIFIED"`,
		`"finishReason":"NO_IMAGE"`, `"finishMessage":"m1"`, `"finishMessage":"m2"`,
		`"tokenCount":1`, `"avgLogprobs":-0.5`, `"avgLogprobs":-0.25`,
		`"safetyRatings":[{"probability":"LOW"}]`,
		`"safetyRatings":[{"probability":"HIGH","blocked":true}]`, `"newMember":1`, `"newMember":2`,
		`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1","title":"t"}},{"maps":{"title":"no address"}}],"webSearchQueries":["q"]}`,
		`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u2"}}],"groundingSupports":[{"segment":{"startIndex":0,"endIndex":1},"groundingChunkIndices":[0],"confidenceScores":[0.5]}]}`,
		`"groundingMetadata":{"groundingSupports":[{"segment":{"startIndex":1,"endIndex":2,"text":"b"},"groundingChunkIndices":[1,0]}],"searchEntryPoint":{"renderedContent":"e1"}}`,
		`"groundingMetadata":{"searchEntryPoint":{"renderedContent":"e2"},"retrievalMetadata":{"googleSearchDynamicRetrievalScore":0.5},"newMember":3}`,
		`"citationMetadata":{"citationSources":[{"startIndex":1,"endIndex":2,"uri":"u3","license":"l"}]}`,
		`"citationMetadata":{"citations":[{"startIndex":0,"endIndex":50,"uri":"u4","title":"t"}],"newMember":4}`,
		`"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"u5","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"},{"retrievedUrl":"u6","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_ERROR"}]}`,
		`"logprobsResult":{"chosenCandidates":[{"token":"a","logProbability":-0.1}],"topCandidates":[{"candidates":[{"token":"b","logProbability":-3}]}]}`,
		`"logprobsResult":{"chosenCandidates":[{"token":"é","tokenId":7,"logProbability":-0.2}],"logProbabilitySum":-0.3}`,
		`"logprobsResult":{"chosenCandidates":[{"token":"z","logProbability":"-Infinity"}]}`,
		`"groundingAttributions":[{"content":{"parts":[{"text":"g"}]}}]`,
	}
)
