package fakegemini_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// responseOf decodes an answer, whole or streamed.
func responseOf(t *testing.T, path, body string) *geminiapi.GenerateContentResponse {
	t.Helper()
	if strings.Contains(path, "stream") {
		response, _ := normalize.MergeChunks(chunks(t, body)...)
		return response
	}
	response, err := gemini.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// next returns the request after an answer with calls: the conversation so far, the answer, and a
// result for each call.
func next(t *testing.T, request string, answer geminiapi.Content) string {
	t.Helper()
	r, err := gemini.DecodeRequest([]byte(request))
	if err != nil {
		t.Fatal(err)
	}
	var results []*geminiapi.FunctionResponse
	for _, part := range answer.Parts {
		if part.FunctionCall != nil {
			result, err := gemini.FunctionResult(part.FunctionCall, map[string]int{"n": 1})
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, result)
		}
	}
	r.Contents = append(r.Contents, answer, gemini.UserResults(results...))
	body, err := gemini.EncodeRequest(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestScriptedCallsAreSignedAndTheirSignaturesChecked(t *testing.T) {
	t.Parallel()
	const first = `{"contents":[{"role":"user","parts":[{"text":"Go"}]}],"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}]}`
	for _, path := range []string{generate3, stream3} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			srv := geminitest.NewServer(t, geminitest.WithStrict(), geminitest.WithScript(
				geminitest.On(geminitest.Turn(0)).Reply(geminitest.Text("Two ", "calls."),
					geminitest.Call("f", `{"x": 1}`), geminitest.Call("g", "")),
				geminitest.On(geminitest.Turn(1)).Reply(geminitest.Call("f", `{"x": 2}`)),
				geminitest.On(geminitest.Turn(2)).Reply(geminitest.Text("Do", "ne.")),
			))
			body := first
			for turn, wantSigned := range []int{1, 0, 0} {
				_, got := post(t, srv, path, body)
				response := responseOf(t, path, got)
				content := response.Candidates[0].Content
				for i, part := range content.Parts {
					if signed := part.ThoughtSignature != nil; turn < 2 &&
						signed != (i == wantSigned) {
						t.Errorf("turn %d: part %d: %s", turn, i, got)
					}
				}
				if turn == 2 {
					if content.Parts[len(content.Parts)-1].ThoughtSignature == nil ||
						*content.Parts[0].Text != "Done." {
						t.Error(got)
					}
					break
				}
				body = next(t, body, *content)
				signature := *content.Parts[wantSigned].ThoughtSignature
				for name, changed := range map[string]string{
					"another signature": strings.Replace(body, signature,
						signature[:20]+"AAAA"+signature[24:], 1),
					"no signature": strings.Replace(body,
						`,"thoughtSignature":"`+signature+`"`, "", 1),
				} {
					if reply, got := post(t, srv, path, changed); reply.StatusCode != 400 ||
						!strings.Contains(strings.ToLower(got), "signature") {
						t.Errorf("turn %d: %s: %s", turn, name, got)
					}
				}
			}
			srv.AssertCalled(geminitest.Turn(2), geminitest.ToolResult("f", `"n":1`))
		})
	}
}

func TestASignatureOfTheScriptIsTheOnlyOne(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Stream(true)).Reply(geminitest.Call("f", ""),
			geminitest.Signed("c2lnbmVk", geminitest.Text("x"))),
		geminitest.On().Reply(geminitest.Signed("", geminitest.Call("f", ""))),
	))
	if _, got := post(t, srv, generate3, hello); strings.Contains(got, "thoughtSignature") {
		t.Error(got)
	}
	if _, got := post(t, srv, stream3, hello); strings.Count(got, "thoughtSignature") != 1 ||
		!strings.Contains(got, `"thoughtSignature": "c2lnbmVk"`) {
		t.Error(got)
	}
}

func TestUsageOfAScriptedAnswerAddsUp(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Prompt("mine")).Reply(geminitest.Text("x"),
			geminitest.Usage(&geminiapi.UsageMetadata{TotalTokenCount: new(4711)})),
		geminitest.On().Reply(geminitest.Thought("Hm."), geminitest.Text("one two ", "three")),
	))
	const vertex = "/v1/publishers/google/models/gemini-3.6-flash:generateContent"
	for _, path := range []string{generate, stream, generate3, stream3, vertex} {
		_, got := post(t, srv, path, hello)
		u := responseOf(t, path, got).UsageMetadata
		value := func(count *int) int {
			if count == nil {
				return 0
			}
			return *count
		}
		if *u.TotalTokenCount != *u.PromptTokenCount+*u.CandidatesTokenCount+
			value(u.ThoughtsTokenCount) || *u.CandidatesTokenCount < 3 {
			t.Errorf("%s: %s", path, got)
		}
		_, got = post(t, srv, path, strings.Replace(hello, "Hello", "mine", 1))
		if u := responseOf(t, path, got).UsageMetadata; *u.TotalTokenCount != 4711 {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestAScriptedTextMayBeEmpty(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text(""))))
	for _, path := range []string{generate, stream, generate3, stream3} {
		if reply, got := post(t, srv, path, hello); reply.StatusCode != 200 ||
			!strings.Contains(got, "STOP") {
			t.Errorf("%s: %s", path, got)
		}
	}
}
