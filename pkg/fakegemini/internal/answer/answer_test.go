package answer_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// ask returns a request with one text and more members.
func ask(text, members string) string {
	quoted, _ := jsontext.AppendQuote(nil, text)
	if members != "" {
		members = "," + members
	}
	return `{"contents":[{"role":"user","parts":[{"text":` + string(quoted) + `}]}]` + members + `}`
}

const (
	weather = `"tools":[{"functionDeclarations":[
		{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"},"days":{"type":"INTEGER"}},"required":["city"]}},
		{"name":"get_time"}]}]`
	anyMode = weather + `,"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`
)

func questionOf(t *testing.T, body, model string, backend models.Backends) answer.Question {
	t.Helper()
	request, err := gemini.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return answer.Question{Request: request, Model: model, Backend: backend}
}

// shown is an answer without the members of every answer: ids, signatures, counts.
func shown(t *testing.T, r *geminiapi.GenerateContentResponse) string {
	t.Helper()
	r.ResponseID, r.ModelVersion, r.CreateTime, r.UsageMetadata = nil, nil, nil, nil
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.AvgLogprobs = nil
		for j := range c.Content.Parts {
			c.Content.Parts[j].ThoughtSignature = nil
			if c.Content.Parts[j].FunctionCall != nil {
				c.Content.Parts[j].FunctionCall.ID = nil
			}
		}
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	const finishMessage = `"finishMessage":"Model generated function call(s).",`
	text := func(parts, rest string) string {
		return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},` + rest +
			`"finishReason":"STOP","index":0}]}`
	}
	result := func(step string) string {
		return `{"contents":[{"parts":[{"text":"get_weather then get_time"}]},{"role":"model","parts":[{"functionCall":{"name":"get_weather"}}]},
			{"parts":[{"functionResponse":{"name":"get_weather","response":{ "sky": "blue" }}}]}` + step + `],` + weather + `}`
	}
	for name, test := range map[string]struct{ body, want string }{
		"a text":                {ask("Hello", ""), text(`{"text":"You said: Hello"}`, "")},
		"nothing":               {ask("", ""), text(`{"text":"You said nothing."}`, "")},
		"an image":              {`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"text":"What?"}]}]}`, text(`{"text":"You said: What?\nWith it came image/png."}`, "")},
		"many words":            {ask("[words 3]", ""), text(`{"text":"One answer of."}`, "")},
		"a function in the way": {ask("Hello", weather), text(`{"text":"You said: Hello"}`, "")},
		"a function that the prompt names": {ask("Use get_weather, please.", weather),
			text(`{"functionCall":{"args":{"city":"city"},"name":"get_weather"}}`, finishMessage)},
		"a name within a word": {ask("forget_weather get_weather2", weather), text(`{"text":"You said: forget_weather get_weather2"}`, "")},
		"given arguments": {ask(`get_weather {"city": "Porto", "days": 2}!`, weather),
			text(`{"functionCall":{"args":{"city":"Porto","days":2},"name":"get_weather"}}`,
				finishMessage)},
		"parallel calls": {ask(`get_weather {"city":"Porto"} and get_weather({"city":"Faro"}) and get_time`,
			weather),
			text(`{"functionCall":{"args":{"city":"Porto"},"name":"get_weather"}},{"functionCall":{"args":{"city":"Faro"},"name":"get_weather"}},{"functionCall":{"args":{},"name":"get_time"}}`,
				finishMessage)},
		"the first of two steps":  {ask("get_weather, then get_time", weather), text(`{"functionCall":{"args":{"city":"city"},"name":"get_weather"}}`, finishMessage)},
		"the second of two steps": {result(""), text(`{"functionCall":{"args":{},"name":"get_time"}}`, finishMessage)},
		"the end of two steps": {result(`,{"role":"model","parts":[{"functionCall":{"name":"get_time"}}]},{"parts":[{"functionResponse":{"name":"get_time","response":{"h":12}}}]}`),
			text(`{"text":"get_time returned {\"h\":12}."}`, "")},
		"the mode ANY": {ask("Hello", anyMode), text(`{"functionCall":{"args":{"city":"city"},"name":"get_weather"}}`, finishMessage)},
		"an allowed function": {ask("Hello",
			weather+`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["get_time"]}}`),
			text(`{"functionCall":{"args":{},"name":"get_time"}}`, finishMessage)},
		"the mode NONE": {ask("get_time", weather+`,"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`), text(`{"text":"You said: get_time"}`, "")},
		"JSON":          {ask("Hi", `"generationConfig":{"responseMimeType":"application/json"}`), text(`{"text":"{\"answer\":\"You said: Hi\"}"}`, "")},
		"JSON of a schema": {ask("Hi",
			`"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"name":{"type":"STRING"}}}}`),
			text(`{"text":"{\"name\":\"name\"}"}`, "")},
		"JSON of a JSON Schema": {ask("Hi", `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"array","items":{"type":"integer"}}}`), text(`{"text":"[1]"}`, "")},
		"an enum":               {ask("Hi", `"generationConfig":{"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a","b"]}}`), text(`{"text":"a"}`, "")},
		"too long": {ask("one two three",
			`"generationConfig":{"maxOutputTokens":4,"thinkingConfig":{"thinkingBudget":0}}`),
			`{"candidates":[{"content":{"parts":[{"text":"You said: one"}],"role":"model"},"finishReason":"MAX_TOKENS","index":0}]}`},
		"thoughts that leave no token": {ask("one two three",
			`"generationConfig":{"maxOutputTokens":4}`),
			`{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS","index":0}]}`},
		"a stop sequence":          {ask("one two three", `"generationConfig":{"stopSequences":["two"]}`), text(`{"text":"You said: one "}`, "")},
		"a stop sequence in front": {ask("one", `"generationConfig":{"stopSequences":["You"]}`), `{"candidates":[{"content":{"role":"model"},"finishReason":"STOP","index":0}]}`},
		"thoughts":                 {ask("Hi", `"generationConfig":{"thinkingConfig":{"includeThoughts":true}}`), text(`{"text":"**Reading the request**\n\nThe user said: Hi\n\n","thought":true},{"text":"You said: Hi"}`, "")},
		"several candidates": {ask("Hi", `"generationConfig":{"candidateCount":2}`),
			`{"candidates":[{"content":{"parts":[{"text":"You said: Hi"}],"role":"model"},"finishReason":"STOP","index":0},{"content":{"parts":[{"text":"You said: Hi (answer 2)"}],"role":"model"},"finishReason":"STOP","index":1}]}`},
		"code": {ask("Hi", `"tools":[{"codeExecution":{}}]`),
			text(`{"executableCode":{"code":"print(len(\"Hi\"))\n","language":"PYTHON"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2\n"}},{"text":"You said: Hi"}`,
				"")},
		"pages": {ask("Read https://example.com/a.", `"tools":[{"urlContext":{}}]`),
			`{"candidates":[{"content":{"parts":[{"text":"You said: Read https://example.com/a."}],"role":"model"},"finishReason":"STOP","index":0,"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://example.com/a.","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"}]}}]}`},
		"a blocked prompt": {ask("[block prompt: OTHER]", ""), `{"promptFeedback":{"blockReason":"OTHER"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := questionOf(t, test.body, "gemini-3.6-flash", models.GeminiAPI)
			if diff := cmp.Diff(members(t, test.want),
				members(t, shown(t, answer.To(q)))); diff != "" {
				t.Error(diff)
			}
			checkAnswer(t, q)
		})
	}
}

// Thoughts count against maxOutputTokens. In the recordings, a limit of one token leaves neither
// thoughts nor a text.
func TestThoughtsAndTextStayBelowMaxOutputTokens(t *testing.T) {
	t.Parallel()
	for most := 1; most <= 200; most++ {
		q := questionOf(t,
			fmt.Sprintf(`{"contents":[{"parts":[{"text":"[words 200]"}]}],"generationConfig":{"maxOutputTokens":%d}}`,
				most),
			"gemini-2.5-flash", models.GeminiAPI)
		response := answer.To(q)
		usage := response.UsageMetadata
		if sum := jsonx.Deref(usage.ThoughtsTokenCount) +
			jsonx.Deref(usage.CandidatesTokenCount); sum > most ||
			*response.Candidates[0].FinishReason != geminiapi.FinishReasonMaxTokens {
			t.Errorf("%d of %d tokens, %s", sum, most, *response.Candidates[0].FinishReason)
		}
		if most == 1 && (usage.ThoughtsTokenCount != nil || usage.CandidatesTokenCount != nil ||
			response.Candidates[0].Content.Parts != nil) {
			t.Errorf("of one token: %+v", usage)
		}
		checkAnswer(t, q)
	}
}

// members is JSON for comparison.
func members(t *testing.T, text string) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

func TestABlockedAnswerHasNoContent(t *testing.T) {
	t.Parallel()
	q := questionOf(t, ask("[block answer]", ""), "gemini-2.5-flash", models.GeminiAPI)
	c := answer.To(q).Candidates[0]
	if c.Content != nil || *c.FinishReason != geminiapi.FinishReasonSafety ||
		!*c.SafetyRatings[3].Blocked {
		t.Errorf("got %+v", c)
	}
	q = questionOf(t, ask("[block answer RECITATION]", ""), "gemini-2.5-flash", models.GeminiAPI)
	if c := answer.To(q).Candidates[0]; *c.FinishReason != geminiapi.FinishReasonRecitation {
		t.Errorf("got %s", *c.FinishReason)
	}
}

// Signatures and ids are on the same parts as in each generation of models.
func TestSignaturesAndIDsByGeneration(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model          string
		backend        models.Backends
		call, text, id bool
	}{
		{"gemini-2.0-flash", models.GeminiAPI, false, false, false},
		{"gemini-2.5-flash", models.GeminiAPI, true, false, false},
		{"gemini-3.6-flash", models.GeminiAPI, true, true, true},
		{"gemini-3.6-flash", models.VertexAI, true, true, false},
	} {
		parts := answer.To(questionOf(t, ask("get_weather and get_time", weather), test.model,
			test.backend)).Candidates[0].Content.Parts
		if got := parts[0].ThoughtSignature != nil; got != test.call ||
			parts[1].ThoughtSignature != nil {
			t.Errorf("%s: the first call is signed: %v, the second: %v", test.model, got,
				parts[1].ThoughtSignature != nil)
		}
		if got := parts[0].FunctionCall.ID != nil; got != test.id {
			t.Errorf("%s: a call has an id: %v", test.model, got)
		}
		if test.id && *parts[0].FunctionCall.ID == *parts[1].FunctionCall.ID {
			t.Errorf("%s: two calls have one id", test.model)
		}
		parts = answer.To(questionOf(t, ask("Hi", ""), test.model,
			test.backend)).Candidates[0].Content.Parts
		if got := parts[0].ThoughtSignature != nil; got != test.text {
			t.Errorf("%s: a text is signed: %v", test.model, got)
		}
	}
}

// In a stream of Gemini 3 the signature of a text comes last, with an empty text.
func TestSignaturesOfStreamsComeLast(t *testing.T) {
	t.Parallel()
	chunks := answer.Chunks(questionOf(t, ask("Hello, how are you?", ""), "gemini-3.6-flash",
		models.GeminiAPI))
	for i, chunk := range chunks {
		part, isLast := chunk.Candidates[0].Content.Parts[0], i == len(chunks)-1
		if (part.ThoughtSignature != nil) != isLast || (*part.Text == "") != isLast ||
			(chunk.Candidates[0].FinishReason != nil) != isLast {
			t.Errorf("chunk %d of %d: %+v", i, len(chunks), part)
		}
		if chunk.UsageMetadata == nil || *chunk.ResponseID != *chunks[0].ResponseID {
			t.Errorf("chunk %d has no counts or another id", i)
		}
	}
	if len(chunks) < 3 {
		t.Errorf("only %d chunks", len(chunks))
	}
}

func TestVertexAISendsCountsLast(t *testing.T) {
	t.Parallel()
	chunks := answer.Chunks(questionOf(t, ask("Hello, how are you?", ""), "gemini-2.5-flash",
		models.VertexAI))
	for i, chunk := range chunks {
		if u := chunk.UsageMetadata; *u.TrafficType != geminiapi.TrafficTypeOnDemand ||
			(u.TotalTokenCount != nil) != (i == len(chunks)-1) {
			t.Errorf("chunk %d: %+v", i, u)
		}
	}
}

// Vertex AI streams arguments on request.
func TestStreamedArguments(t *testing.T) {
	t.Parallel()
	const args = `{"city":"A city with a name that is long enough to come in several pieces","days":2,"b":[true,null,{"x y":{}}],"none":[]}`
	body := ask("get_weather "+args,
		weather+`,"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true}}`)
	q := questionOf(t, body, "gemini-3.6-flash", models.VertexAI)
	checkAnswer(t, q)
	chunks := answer.Chunks(q)
	first, last := chunks[0].Candidates[0].Content.Parts[0],
		chunks[len(chunks)-1].Candidates[0].Content.Parts[0]
	if *first.FunctionCall.Name != "get_weather" || !*first.FunctionCall.WillContinue ||
		first.ThoughtSignature == nil || !last.FunctionCall.IsEmpty() {
		t.Errorf("got %+v first and %+v last", first, last)
	}
	if second := chunks[1].Candidates[0].Content.Parts[0].FunctionCall.PartialArgs[0]; *second.JSONPath != "$.city" ||
		!*second.WillContinue {
		t.Errorf("got %+v", second)
	}
}

func TestMediaAreValid(t *testing.T) {
	t.Parallel()
	image := answer.To(questionOf(t,
		ask("Hi", `"generationConfig":{"responseModalities":["TEXT","IMAGE"]}`),
		"gemini-2.5-flash-image", models.GeminiAPI))
	parts := image.Candidates[0].Content.Parts
	data, err := base64.StdEncoding.DecodeString(*parts[1].InlineData.Data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil ||
		*parts[1].InlineData.MIMEType != "image/png" {
		t.Error(err)
	}
	if *image.UsageMetadata.CandidatesTokensDetails[1].Modality != geminiapi.ModalityImage {
		t.Errorf("got %+v", image.UsageMetadata.CandidatesTokensDetails)
	}
	sound := answer.To(questionOf(t,
		ask("Hi", `"generationConfig":{"responseModalities":["AUDIO"]}`),
		"gemini-2.5-flash-preview-tts", models.GeminiAPI))
	blob := sound.Candidates[0].Content.Parts[0].InlineData
	data, err = base64.StdEncoding.DecodeString(*blob.Data)
	if err != nil || len(data) != 4800 || !strings.HasPrefix(*blob.MIMEType, "audio/L16") {
		t.Errorf("got %d bytes of %s, %v", len(data), *blob.MIMEType, err)
	}
}

func TestLogProbabilities(t *testing.T) {
	t.Parallel()
	q := questionOf(t, ask("Hi", `"generationConfig":{"responseLogprobs":true,"logprobs":3}`),
		"gemini-2.0-flash", models.GeminiAPI)
	c := answer.To(q).Candidates[0]
	text, sum := "", 0.0
	for i, chosen := range c.LogprobsResult.ChosenCandidates {
		text += *chosen.Token
		sum += *chosen.LogProbability
		top := c.LogprobsResult.TopCandidates[i].Candidates
		if len(top) != 3 || *top[0].Token != *chosen.Token ||
			*top[0].LogProbability < *top[1].LogProbability {
			t.Errorf("token %d: got %+v", i, top)
		}
	}
	if text != *c.Content.Parts[0].Text || sum != *c.LogprobsResult.LogProbabilitySum ||
		*c.AvgLogprobs != sum/float64(len(c.LogprobsResult.ChosenCandidates)) {
		t.Errorf("got %q, sum %v, average %v", text, sum, *c.AvgLogprobs)
	}
	checkAnswer(t, q)
}

func TestGroundingIsOnTheText(t *testing.T) {
	t.Parallel()
	q := questionOf(t, ask("Who won?", `"tools":[{"googleSearch":{}}]`), "gemini-2.5-flash",
		models.GeminiAPI)
	c := answer.To(q).Candidates[0]
	segment := c.GroundingMetadata.GroundingSupports[0].Segment
	if got := (*c.Content.Parts[0].Text)[:*segment.EndIndex]; got != *segment.Text ||
		len(c.GroundingMetadata.GroundingChunks) != 2 ||
		c.GroundingMetadata.WebSearchQueries[0] != "Who won?" {
		t.Errorf("got %+v", c.GroundingMetadata)
	}
	checkAnswer(t, q)
}

func TestOtherRequestsHaveOtherIDs(t *testing.T) {
	t.Parallel()
	id := func(body string) string {
		return *answer.To(questionOf(t, body, "gemini-2.5-flash", models.VertexAI)).ResponseID
	}
	if id(ask("a", "")) == id(ask("b", "")) {
		t.Error("two requests have one id")
	}
	if id(`{"contents":[{"parts":[{"text":"a"}]}]}`) != id(
		`{"contents": {"parts": {"text": "a"}}}`) {
		t.Error("another spelling has another id")
	}
}

func TestThinkingCostsNoMoreThanItsBudget(t *testing.T) {
	t.Parallel()
	for budget, want := range map[string]*int{"0": nil, "5": new(5)} {
		q := questionOf(t,
			ask("Hi", `"generationConfig":{"thinkingConfig":{"thinkingBudget":`+budget+`}}`),
			"gemini-2.5-flash", models.GeminiAPI)
		if diff := cmp.Diff(want, answer.To(q).UsageMetadata.ThoughtsTokenCount); diff != "" {
			t.Errorf("budget %s: %s", budget, diff)
		}
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	q := questionOf(t, `{"contents":[{"parts":[{"text":"Hello there"},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]}]}`,
		"gemini-2.5-flash", models.VertexAI)
	got, want := answer.Count(q), answer.To(q).UsageMetadata
	if *got.TotalTokens != *want.PromptTokenCount || *got.TotalBillableCharacters != 10 ||
		len(got.PromptTokensDetails) != 2 {
		t.Errorf("got %+v", got)
	}
}
