package request_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// modes are the conversions in which nothing may be lost silently.
var modes = map[string][]request.Option{
	"Gemini API":     {request.ForModel(levelModel)},
	"Vertex AI":      {request.ForModel(budgetModel), request.ForVertexAI(), request.WithMetadataAsLabels()},
	"an older model": {request.ForModel(oldModel), request.WithTrailingModelTurn(request.TrailingTurnTrimmed)},
	"with a store":   {request.ForModel(imageModel), request.WithStore(), request.WithSchemaForm()},
}

// checkLosses changes values of a document in turn, up to a limit. The converted request or a
// report must show the change, or the changed request is refused. It returns the number of changes.
func checkLosses(t *testing.T, name string, document []byte, most int) int {
	t.Helper()
	leaves, err := leaftest.All(document)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	changed := 0
	for mode, opts := range modes {
		opts := append(slices.Clone(opts), request.WithoutValidation())
		before, report, err := geminiRequest(document, opts...)
		if err != nil {
			continue // the error reports the missing value
		}
		for _, l := range leaftest.Sample(leaves, most) {
			changed++
			after, reportAfter, err := geminiRequest(l.Change(document), opts...)
			if err == nil && bytes.Equal(before, after) && !loses(report, l.Pointer) &&
				!loses(reportAfter, l.Pointer) {
				t.Errorf("%s: %s: %s is lost silently in %s", name, mode, l.Pointer, document)
			}
		}
	}
	return changed
}

// loses reports whether an entry says that a value, or a value around it, is lost or approximated.
func loses(entries report.Report, pointer string) bool {
	return entries.Of(report.Lost).Covers(pointer) ||
		entries.Of(report.Approximated).Covers(pointer)
}

// Every value of every recorded request is in the request for Gemini or in the report.
func TestNothingThatAClientSentIsLostSilently(t *testing.T) {
	t.Parallel()
	most, changed := leaftest.Enough(200), 0
	for _, p := range corpustest.ClientPayloads(t, "responses", corpustest.Request) {
		changed += checkLosses(t, p.Name, p.Read(t), most)
	}
	if t.Logf("%d changes", changed); changed < corpustest.AtLeast(20_000) {
		t.Errorf("only %d changes", changed)
	}
}

// This tests each member of the description for each type of items.
func TestNoMemberOfAnItemIsLostSilently(t *testing.T) {
	t.Parallel()
	for _, kind := range openaitest.Enum(t, "ResponseItemType") {
		var item openaiapi.ResponseItem
		leaftest.Fill(&item)
		item.Type, item.Unknown = openaiapi.ResponseItemType(kind), nil
		item.Arguments = wiretype.StringOf[jsontext.Value](`{"city":"Lisbon"}`)
		for _, role := range []openaiapi.ResponseRole{"user", "assistant", "developer"} {
			item.Role = role
			checkFilled(t, kind,
				&openaiapi.CreateResponseRequest{Input: wiretype.ValueOf([]openaiapi.ResponseItem{userSays("Hello."),
					item, userSays("And?")})})
		}
		result := item
		result.Role = openaiapi.ResponseRoleDeveloper
		call := openaiapi.ResponseItem{Type: openaiapi.ResponseItemTypeFunctionCall,
			CallID: item.CallID, Name: "f"}
		checkFilled(t, kind+" after a call",
			&openaiapi.CreateResponseRequest{Input: wiretype.ValueOf([]openaiapi.ResponseItem{userSays("Hello."),
				call, result})})
	}
}

// This tests each member of each type of content parts, for each role and in the result of a call.
func TestNoMemberOfAPartIsLostSilently(t *testing.T) {
	t.Parallel()
	for _, kind := range openaitest.Enum(t, "ResponseContentType") {
		var part openaiapi.ResponseContentPart
		leaftest.Fill(&part)
		part.Type, part.Unknown = openaiapi.ResponseContentType(kind), nil
		part.ImageURL, part.FileData = wiretype.InlineMedia("image/png", "iVBORw0KGgo="),
			"data:application/pdf;base64,JVBERi0="
		part.InputAudio.Data, part.FileURL, part.Detail = "UklGRgAAAABXQVZF",
			"https://example.com/a.pdf", "low"
		list := []openaiapi.ResponseContentPart{part}
		items := []openaiapi.ResponseItem{
			userSays("Hello."),
			{Role: openaiapi.ResponseRoleDeveloper, Content: wiretype.ValueOf(list)},
			{Role: openaiapi.ResponseRoleAssistant, Content: wiretype.ValueOf(list)},
			{Type: openaiapi.ResponseItemTypeReasoning, Summary: list},
			{Type: openaiapi.ResponseItemTypeReasoning, Content: wiretype.ValueOf(list)},
			{Type: openaiapi.ResponseItemTypeFunctionCall, CallID: "call_1", Name: "f"},
			{Type: openaiapi.ResponseItemTypeFunctionCallOutput, CallID: "call_1", Output: wiretype.ValueOf(wiretype.ListOf(list))},
			{Type: openaiapi.ResponseItemTypeCustomToolCall, CallID: "call_2", Name: "g"},
			{Type: openaiapi.ResponseItemTypeCustomToolCallOutput, CallID: "call_2", Output: wiretype.ValueOf(wiretype.OneOf(part))},
			{Role: openaiapi.ResponseRoleUser, Content: wiretype.ValueOf(list)},
		}
		checkFilled(t, kind, &openaiapi.CreateResponseRequest{Input: wiretype.ValueOf(items)})
	}
}

// This tests each member of each type of tools, declared in each place.
func TestNoMemberOfAToolIsLostSilently(t *testing.T) {
	t.Parallel()
	schema := jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"}}}`)
	for _, kind := range append(openaitest.Enum(t, "ResponseToolType"), "") {
		var tool openaiapi.ResponseTool
		leaftest.Fill(&tool)
		tool.Type, tool.Unknown, tool.Name = openaiapi.ResponseToolType(kind), nil, "f"
		tool.Parameters, tool.OutputSchema, tool.RequireApproval = schema, schema,
			jsontext.Value(`"never"`)
		tool.Tools = []openaiapi.ResponseTool{{Type: "function", Name: "g", Parameters: schema,
			Strict: new(true)}, {Type: "custom", Name: "h"}}
		tool.VectorStoreIds, tool.Function.Parameters = []string{"fileSearchStores/a"}, schema
		nested := tool
		nested.Name = ""
		for place, in := range map[string]*openaiapi.CreateResponseRequest{
			"tools":  {Tools: []openaiapi.ResponseTool{tool}},
			"nested": {Tools: []openaiapi.ResponseTool{nested}},
			"input": {Input: wiretype.ValueOf([]openaiapi.ResponseItem{userSays("Hello."), {
				Type: openaiapi.ResponseItemTypeAdditionalTools,
				Role: openaiapi.ResponseRoleDeveloper, Tools: []openaiapi.ResponseTool{tool},
			}})},
		} {
			if place != "input" {
				in.Input = wiretype.StringOf[[]openaiapi.ResponseItem]("Hello.")
			}
			checkFilled(t, kind+" in "+place, in)
		}
	}
}

// This tests each member of each type of tool choices.
func TestNoMemberOfAToolChoiceIsLostSilently(t *testing.T) {
	t.Parallel()
	tools := []openaiapi.ResponseTool{{Type: "function", Name: "f"}, {Type: "custom", Name: "c"}}
	for _, kind := range openaitest.Enum(t, "ResponseToolChoiceType") {
		for _, isNested := range []bool{false, true} {
			var choice openaiapi.ResponseToolChoice
			leaftest.Fill(&choice)
			choice.Type, choice.Unknown, choice.Name,
				choice.Mode = openaiapi.ResponseToolChoiceType(kind),
				nil, "f", "auto"
			choice.Function.Name = "f"
			if kind == "custom" {
				choice.Name = "c"
			}
			if isNested {
				choice.Name = ""
			}
			choice.Tools[0].Type, choice.Tools[0].Name = "function", "f"
			checkFilled(t, kind, &openaiapi.CreateResponseRequest{
				Input: wiretype.StringOf[[]openaiapi.ResponseItem]("Hello."), Tools: tools,
				ToolChoice: wiretype.ValueOf(choice),
			})
		}
	}
}

// This tests each member of a request, alone and among all others.
func TestNoMemberOfARequestIsLostSilently(t *testing.T) {
	t.Parallel()
	for name, in := range leaftest.FillEach[openaiapi.CreateResponseRequest]() {
		in.Input = wiretype.StringOf[[]openaiapi.ResponseItem]("Hello.")
		in.Prompt, in.Unknown, in.Tools, in.Model = nil, nil, nil, new(levelModel)
		if in.ExtraBody != nil {
			in.ExtraBody = nil // which has a test of its own
		}
		if in.Text != nil && in.Text.Format != nil {
			in.Text.Format.Type = "json_schema"
			in.Text.Format.Schema, in.Text.Format.JSONSchema.Schema = jsontext.Value(
				`{"type":"object"}`), jsontext.Value(`{"type":"array"}`)
		}
		in.ToolChoice = wiretype.StringOr[openaiapi.ResponseToolChoice]{}
		checkFilled(t, name, &in)
		if in.Text != nil && in.Text.Format != nil {
			in.Text.Format.Schema = nil
			checkFilled(t, name+", nested", &in)
			in.Text.Format.Type = "json_object"
			checkFilled(t, name+", without a schema", &in)
		}
	}
}

func userSays(text string) openaiapi.ResponseItem {
	return openaiapi.ResponseItem{Role: openaiapi.ResponseRoleUser,
		Content: wiretype.StringOf[[]openaiapi.ResponseContentPart](text)}
}

func checkFilled(t *testing.T, name string, in *openaiapi.CreateResponseRequest) {
	t.Helper()
	document, err := responses.EncodeRequest(in)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	checkLosses(t, name, document, leaftest.Enough(400))
}
