package genai_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"
)

// weather is the tool that the model is given.
var weather = &genai.Tool{FunctionDeclarations: []*genai.FunctionDeclaration{{
	Name:        "get_weather",
	Description: "Returns the weather of a city.",
	Parameters: &genai.Schema{
		Type: genai.TypeObject,
		Properties: map[string]*genai.Schema{
			"city": {Type: genai.TypeString},
			"unit": {Type: genai.TypeString, Enum: []string{"celsius", "fahrenheit"}},
		},
		Required: []string{"city", "unit"},
	},
}}}

// mode returns the configuration that has the model call, or that keeps it from calling.
func mode(mode genai.FunctionCallingConfigMode) *genai.GenerateContentConfig {
	return &genai.GenerateContentConfig{
		Tools:      []*genai.Tool{weather},
		ToolConfig: &genai.ToolConfig{FunctionCallingConfig: &genai.FunctionCallingConfig{Mode: mode}},
	}
}

// send asks for the next turn of the model.
type send func(t *testing.T, client *genai.Client, turns []*genai.Content,
	config *genai.GenerateContentConfig) *genai.Content

var sends = map[string]send{"whole": sendWhole, "stream": sendStream}

func sendWhole(t *testing.T, client *genai.Client, turns []*genai.Content,
	config *genai.GenerateContentConfig) *genai.Content {
	t.Helper()
	answer, err := client.Models.GenerateContent(t.Context(), model, turns, config)
	check(t, err)
	return answer.Candidates[0].Content
}

func sendStream(t *testing.T, client *genai.Client, turns []*genai.Content,
	config *genai.GenerateContentConfig) *genai.Content {
	t.Helper()
	turn := &genai.Content{Role: genai.RoleModel}
	for chunk, err := range client.Models.GenerateContentStream(t.Context(), model, turns, config) {
		check(t, err)
		if content := chunk.Candidates[0].Content; content != nil {
			turn.Parts = append(turn.Parts, content.Parts...)
		}
	}
	return turn
}

// converse has the model call a tool twice and then answer. It returns all turns.
func converse(t *testing.T, client *genai.Client, send send) []*genai.Content {
	t.Helper()
	turns := genai.Text("How is the weather in Porto and in Lima?")
	for range 2 {
		turn := send(t, client, turns, mode(genai.FunctionCallingConfigModeAny))
		turns = append(turns, turn, genai.NewContentFromParts(results(t, turn), genai.RoleUser))
	}
	return append(turns, send(t, client, turns, mode(genai.FunctionCallingConfigModeAuto)))
}

// results answers the calls of a turn, the first of which must be signed.
func results(t *testing.T, turn *genai.Content) []*genai.Part {
	t.Helper()
	var results []*genai.Part
	for _, part := range turn.Parts {
		call := part.FunctionCall
		if call == nil {
			continue
		}
		if len(results) == 0 && len(part.ThoughtSignature) == 0 {
			t.Fatal("the first call has no signature")
		}
		if call.Name != "get_weather" || call.Args["city"] == "" ||
			call.Args["unit"] != "celsius" && call.Args["unit"] != "fahrenheit" {
			t.Fatalf("got %s with %v", call.Name, call.Args)
		}
		result := genai.NewPartFromFunctionResponse(call.Name, map[string]any{"degrees": 21})
		result.FunctionResponse.ID = call.ID
		results = append(results, result)
	}
	if len(results) == 0 {
		t.Fatalf("the model calls nothing: %+v", turn)
	}
	return results
}

func TestToolsAreCalledOverThreeTurns(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		for name, send := range sends {
			turns := converse(t, client, send)
			if last := turns[len(turns)-1]; len(last.Parts) == 0 || last.Parts[0].Text == "" {
				t.Errorf("%s: the last turn is %+v", name, last)
			}
		}
	})
}

func TestTurnWithoutItsSignatureIsRefused(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		for _, dropped := range []int{1, 3} {
			turns := converse(t, client, sendWhole)
			turns = turns[:len(turns)-1]
			at := slices.IndexFunc(turns[dropped].Parts,
				func(p *genai.Part) bool { return p.FunctionCall != nil })
			turns[dropped].Parts[at].ThoughtSignature = nil
			_, err := client.Models.GenerateContent(t.Context(), model, turns,
				mode(genai.FunctionCallingConfigModeAuto))
			checkError(t, err, http.StatusBadRequest, "thought_signature")
		}
	})
}

func TestTurnWithAnotherSignatureIsRefused(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		turns := converse(t, client, sendWhole)
		turns = turns[:len(turns)-1]
		at := slices.IndexFunc(turns[1].Parts,
			func(p *genai.Part) bool { return p.FunctionCall != nil })
		turns[1].Parts[at].ThoughtSignature[7] ^= 1
		_, err := client.Models.GenerateContent(t.Context(), model, turns,
			mode(genai.FunctionCallingConfigModeAuto))
		checkError(t, err, http.StatusBadRequest, "ignature")
	})
}

func TestChatReturnsSignatures(t *testing.T) {
	overBoth(t, func(t *testing.T, client *genai.Client) {
		chat, err := client.Chats.Create(t.Context(), model,
			mode(genai.FunctionCallingConfigModeAny), nil)
		check(t, err)
		answer, err := chat.Send(t.Context(), genai.NewPartFromText("How is the weather?"))
		check(t, err)
		for range 2 {
			answer, err = chat.Send(t.Context(), results(t, answer.Candidates[0].Content)...)
			check(t, err)
		}
	})
}

// checkError sees that the server refused in a given way.
func checkError(t *testing.T, err error, code int, text string) {
	t.Helper()
	refused, isRefused := errors.AsType[genai.APIError](err)
	if !isRefused || refused.Code != code || !strings.Contains(refused.Message, text) {
		t.Errorf("got %v, want %d with %q", err, code, text)
	}
}
