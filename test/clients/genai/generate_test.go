package genai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/genai"
)

const model = "gemini-3.6-flash"

// services are the two that serve models. What is tested over both is the same in both.
var services = map[string]func(t *testing.T, baseURL string) *genai.Client{
	"Gemini API": func(t *testing.T,
		baseURL string) *genai.Client {
		return newClient(t, baseURL, "any")
	},
	"Vertex AI": newVertexClient,
}

func overBoth(t *testing.T, test func(*testing.T, *genai.Client)) {
	t.Parallel()
	for name, connect := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, connect(t, emulate(t)))
		})
	}
}

func TestAnswerIsWhole(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		answer, err := client.Models.GenerateContent(t.Context(), model,
			genai.Text("Why is the sky blue?"), nil)
		check(t, err)
		checkAnswer(t, answer)
	})
}

// checkAnswer sees that an answer says something, ends well, and has counts that add up.
func checkAnswer(t *testing.T, answer *genai.GenerateContentResponse) {
	t.Helper()
	if answer.Text() == "" || answer.Candidates[0].FinishReason != genai.FinishReasonStop {
		t.Errorf("text %q, finish reason %s", answer.Text(), answer.Candidates[0].FinishReason)
	}
	if answer.ModelVersion == "" || answer.ResponseID == "" {
		t.Errorf("model version %q, response id %q", answer.ModelVersion, answer.ResponseID)
	}
	usage := answer.UsageMetadata
	if usage == nil {
		t.Fatal("there is no usage")
	}
	sum := usage.PromptTokenCount + usage.CandidatesTokenCount + usage.ThoughtsTokenCount +
		usage.ToolUsePromptTokenCount
	if usage.PromptTokenCount == 0 || usage.CandidatesTokenCount == 0 ||
		sum != usage.TotalTokenCount {
		t.Errorf("counts do not add up: %+v", usage)
	}
}

func TestExpressModeAnswers(t *testing.T) {
	t.Parallel()
	answer, err := newExpressClient(t, emulate(t)).Models.GenerateContent(t.Context(), model,
		genai.Text("Why is the sky blue?"), nil)
	check(t, err)
	checkAnswer(t, answer)
}

func TestStreamIsTheAnswerInPieces(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		prompt := genai.Text("Why is the sky blue?")
		whole, err := client.Models.GenerateContent(t.Context(), model, prompt, nil)
		check(t, err)
		var text strings.Builder
		var last *genai.GenerateContentResponse
		chunks := 0
		for chunk, err := range client.Models.GenerateContentStream(t.Context(), model, prompt,
			nil) {
			check(t, err)
			text.WriteString(chunk.Text())
			last = chunk
			chunks++
		}
		if chunks < 2 || text.String() != whole.Text() {
			t.Errorf("%d chunks, %q in place of %q", chunks, text.String(), whole.Text())
		}
		if last.Candidates[0].FinishReason != genai.FinishReasonStop ||
			last.UsageMetadata.TotalTokenCount != whole.UsageMetadata.TotalTokenCount {
			t.Errorf("the last chunk ends in %s with %+v, the whole answer has %+v",
				last.Candidates[0].FinishReason, last.UsageMetadata, whole.UsageMetadata)
		}
	})
}

func TestThoughtsAreApartFromTheText(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		answer, err := client.Models.GenerateContent(t.Context(), model, genai.Text("Think hard."),
			&genai.GenerateContentConfig{
				ThinkingConfig: &genai.ThinkingConfig{IncludeThoughts: true,
					ThinkingBudget: genai.Ptr[int32](512)},
			})
		check(t, err)
		checkAnswer(t, answer)
		thoughts := ""
		for _, part := range answer.Candidates[0].Content.Parts {
			if part.Thought {
				thoughts += part.Text
			}
		}
		if thoughts == "" || answer.UsageMetadata.ThoughtsTokenCount == 0 {
			t.Errorf("thoughts %q, %d tokens", thoughts, answer.UsageMetadata.ThoughtsTokenCount)
		}
	})
}

func TestConfigurationIsTaken(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		// 3.x refuses several candidates
		answer, err := client.Models.GenerateContent(t.Context(), "gemini-4-argon",
			genai.Text("Hello"), &genai.GenerateContentConfig{
				SystemInstruction: genai.NewContentFromText("Be brief.", genai.RoleUser),
				Temperature:       genai.Ptr[float32](0), TopP: genai.Ptr[float32](0.9),
				TopK:           genai.Ptr[float32](40),
				CandidateCount: 2, MaxOutputTokens: 2000, StopSequences: []string{"END"},
				Seed: genai.Ptr[int32](7),
				SafetySettings: []*genai.SafetySetting{{Category: genai.HarmCategoryHarassment,
					Threshold: genai.HarmBlockThresholdBlockOnlyHigh}},
			})
		check(t, err)
		if len(answer.Candidates) != 2 || answer.Candidates[1].Index != 1 {
			t.Errorf("%d candidates", len(answer.Candidates))
		}
	})
}

// ticket is the type of the answers that follow a schema.
type ticket struct {
	Title    string   `json:"title"`
	Priority string   `json:"priority"`
	Points   int      `json:"points"`
	Labels   []string `json:"labels"`
}

func TestAnswerFollowsTheSchema(t *testing.T) {
	two := genai.Ptr[int64](2)
	schemas := map[string]*genai.GenerateContentConfig{
		"schema": {ResponseSchema: &genai.Schema{
			Type: genai.TypeObject,
			Properties: map[string]*genai.Schema{
				"title":    {Type: genai.TypeString},
				"priority": {Type: genai.TypeString, Enum: []string{"low", "high"}},
				"points":   {Type: genai.TypeInteger, Minimum: genai.Ptr(3.0), Maximum: genai.Ptr(8.0)},
				"labels":   {Type: genai.TypeArray, Items: &genai.Schema{Type: genai.TypeString}, MinItems: two, MaxItems: two},
			},
			Required: []string{"title", "priority", "points", "labels"},
		}},
		"JSON Schema": {ResponseJsonSchema: map[string]any{
			"type": "object",
			"properties": map[string]any{
				"title":    map[string]any{"type": "string"},
				"priority": map[string]any{"enum": []string{"low", "high"}, "type": "string"},
				"points":   map[string]any{"type": "integer", "minimum": 3, "maximum": 8},
				"labels": map[string]any{"type": "array",
					"items": map[string]any{"$ref": "#/$defs/label"}, "minItems": 2, "maxItems": 2},
			},
			"$defs":                map[string]any{"label": map[string]any{"type": "string"}},
			"required":             []string{"title", "priority", "points", "labels"},
			"additionalProperties": false,
		}},
	}
	overBoth(t, func(t *testing.T, client *genai.Client) {
		for name, config := range schemas {
			asked := *config
			asked.ResponseMIMEType = "application/json"
			answer, err := client.Models.GenerateContent(t.Context(), model,
				genai.Text("File a ticket."), &asked)
			check(t, err)
			var got ticket
			if err := json.Unmarshal([]byte(answer.Text()), &got); err != nil {
				t.Fatalf("%s: %v in %q", name, err, answer.Text())
			}
			if got.Title == "" || got.Priority != "low" && got.Priority != "high" ||
				got.Points < 3 || got.Points > 8 || len(got.Labels) != 2 {
				t.Errorf("%s: got %+v", name, got)
			}
		}
	})
}

func TestMediaAreTaken(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		answer, err := client.Models.GenerateContent(t.Context(), model,
			[]*genai.Content{genai.NewContentFromParts([]*genai.Part{
				genai.NewPartFromText("What is in the picture?"),
				genai.NewPartFromBytes(make([]byte, 1<<20), "image/png"),
			}, genai.RoleUser)}, nil)
		check(t, err)
		checkAnswer(t, answer)
	})
}

func TestTokensAreCounted(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		prompt := genai.Text("Why is the sky blue?")
		count, err := client.Models.CountTokens(t.Context(), model, prompt, nil)
		check(t, err)
		answer, err := client.Models.GenerateContent(t.Context(), model, prompt, nil)
		check(t, err)
		if count.TotalTokens == 0 || count.TotalTokens != answer.UsageMetadata.PromptTokenCount {
			t.Errorf("%d tokens are counted, %d used", count.TotalTokens,
				answer.UsageMetadata.PromptTokenCount)
		}
	})
}
