package openapi_test

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
)

// vendorSchema has the members of Google's schemas that the tests read.
type vendorSchema struct {
	Ref        string                   `json:"$ref"`
	Const      string                   `json:"const"`
	Enum       []string                 `json:"enum"`
	OpenEnum   []string                 `json:"x-open-enum"`
	OneOf      []*vendorSchema          `json:"oneOf"`
	Properties map[string]*vendorSchema `json:"properties"`
}

// values returns the known values of an enum, closed or open.
func (s *vendorSchema) values() []string {
	values := slices.Concat(s.Enum, s.OpenEnum)
	if s.Const != "" {
		values = append(values, s.Const)
	}
	return values
}

// vendorSchemas reads the schemas of a document that is next to a checkout, or skips the test.
func vendorSchemas(t *testing.T, name string) map[string]*vendorSchema {
	t.Helper()
	data, err := os.ReadFile(corpustest.Shared(t, "discovery/"+name))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Components struct {
			Schemas map[string]*vendorSchema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d.Components.Schemas
}

// schemaRow says which schema of interactions.yaml describes schemas of Google's. Of a union ours
// has one schema with the members of all alternatives.
type schemaRow struct{ names, ours string }

// interactionRows are the rows. The first one that matches a name counts. A schema without a
// counterpart is a value that ours keeps as it is: a string, or free-form JSON.
var interactionRows = []schemaRow{
	// Sets of strings that are open in practice: names of models, MIME types, one-word options.
	{`MimeType(Option)?$|^Model(Option)?$`, ""},
	{`^(ProcessingEnum|TranscriptionConfigModeEnum)$`, ""},
	// Free-form JSON: parts of the environment, and results of tools that hold anything.
	{`^(AllowlistEntry|EnvVar|EnvironmentNetworkEgressAllowlist|NetworkEnum|Disabled)$`, ""},
	{`^(FileSearchResult|(Function|MCPServerTool)Result(Step|Delta)Result)$`, ""},

	{`^Create(Model|Agent)Interaction(Params)?$`, "CreateInteractionRequest"},
	{`^InteractionsInput$|^Turn$`, "Step"},
	{`^(Interaction|InteractionSseEventInteraction)$`, "Interaction"},
	{`^Interaction(StatusUpdate|SseEventInteraction)?Status$`, "InteractionStatus"},
	{`^(Interaction(Completed|Created|SSE|Sse)?Event|InteractionStatusUpdate|Step(Start|Delta|Stop)|Content(Start|Delta|Stop)|ErrorEvent)$`, "StreamEvent"},
	{`^StepDeltaMetadata$`, "StreamMetadata"},
	{`^(ErrorT|Error)$`, "Error"},
	{`^FileContent$`, "SourceFile"},
	{`^(Thought|(Function|CodeExecution|UrlContext|McpServerTool|GoogleSearch|FileSearch)(Call|Result))Content$`, "Step"},
	{`^StepDeltaData$|Delta$`, "StepDelta"},
	{`Step$`, "Step"},
	{`Content$|^FunctionResultSubcontent$`, "Content"},
	{`^ThoughtSummary$`, "Content"},
	{`AgentConfig$`, "AgentConfig"},
	{`^(Find|Fix)Request$`, "CodeMenderTask"},
	{`^Mode$`, "CodeMenderMode"},
	{`ResponseFormat$`, "ResponseFormat"},
	{`ResponseFormatDelivery$`, "Delivery"},
	{`AspectRatio$`, "AspectRatio"},
	{`ImageSize$`, "ImageSize"},
	{`^Resolution$`, "VideoResolution"},
	{`^CodeExecutionCallArguments$`, "CodeExecutionArguments"},
	{`CallArguments$`, "SearchArguments"},
	{`^Language$`, "CodeLanguage"},
	{`SearchType$`, "SearchType"},
	{`RetrievalType$`, "RetrievalType"},
	{`^(Tool|Function|FunctionT|CodeExecution|ComputerUse|FileSearch|GoogleMaps|GoogleSearch|(MCP|Mcp)Server|Retrieval|(URL|Url)Context)$`, "Tool"},
	{`^EnvironmentEnum$`, "ComputerEnvironment"},
	{`^ToolChoiceType$`, "ToolChoiceMode"},
	{`^ToolChoice(Config)?$`, "ToolChoiceConfig"},
	{`^(ExaAI|ParallelAI)SearchConfig$`, "SearchAPIConfig"},
	{`^RagResource$`, "RAGResource"}, {`^RagRetrievalConfig$`, "RAGRetrievalConfig"},
	{`^RagStoreConfig$`, "RAGStoreConfig"}, {`^Filter$`, "RAGFilter"},
	{`^HybridSearch$`, "RAGHybridSearch"}, {`^RankService$`, "RAGRankService"},
	{`^Ranking$`, "RAGRanking"},
	{`^Method$`, "SafetyMethod"}, {`^Threshold$`, "SafetyThreshold"},
	{`^Source$`, "EnvironmentSource"}, {`^SourceType$`, "EnvironmentSourceType"},
	{`^AgentOption$`, "AgentName"},
	{`^(URLCitation|FileCitation|PlaceCitation|WordInfo|SpeechAnnotation)$`, "Annotation"},
	{`^GoogleMapsResultPlaces$`, "Place"},
	{`^(URL|Url)ContextResult$`, "URLContextResult"},
	{`^URLContextResultStatus$`, "URLContextStatus"},
	{`^GroundingToolCountType$`, "GroundingToolType"},
	{`^(Speaker|Speech)Config$`, "SpeechConfig"},
	{`^(Smart|Verbatim)TranscriptionMode$`, "TranscriptionMode"},
	{`^(Static)?MediaProcessing$`, "MediaProcessing"},
	{`^Task$`, "VideoTask"},
}

// ourName returns the schema of interactions.yaml that describes a schema of Google's. It is a
// schema of the same name if no row matches.
func ourName(name string) string {
	for _, row := range interactionRows {
		if regexp.MustCompile(row.names).MatchString(name) {
			return row.ours
		}
	}
	return name
}

// notDescribed are members of Google's schemas that interactions.yaml leaves out, by our schema.
var notDescribed = map[string][]string{
	// Google's SDKs make these members, and no server sends them.
	"Interaction": {"output_text", "output_image", "output_audio", "output_video",
		"continuation_ids"},
}

// removedFromGoogle are members of the document of December 2025 that Google has removed since, by
// our schema.
var removedFromGoogle = map[string][]string{
	"Interaction":              {"role", "outputs", "background"},
	"CreateInteractionRequest": {"id", "status", "created", "updated", "role", "outputs", "usage"},
	"StreamEvent":              {"content"},
	"StepDelta":                {"id", "call_id"},
	"Usage":                    {"total_reasoning_tokens"},
	"GoogleSearchResult":       {"rendered_content"},
	"Tool":                     {"excludedPredefinedFunctions"},
}

// checkDescribed checks that interactions.yaml has the members and the values of Google's schemas,
// and that it does not have the omitted ones.
func checkDescribed(t *testing.T, theirs map[string]*vendorSchema, leftOut map[string][]string) {
	t.Helper()
	ours := readDocument(t, "interactions.yaml").Components.Schemas
	unseen := map[string]bool{} // members that are left out and that Google does not have either
	for to, members := range leftOut {
		for _, member := range members {
			unseen[to+"."+member] = true
			if ours[to].Properties[member] != nil {
				t.Errorf("%s.%s is described", to, member)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		s, to := theirs[name], ourName(name)
		if to == "" {
			continue
		}
		own := ours[to]
		if own == nil {
			t.Errorf("%s: interactions.yaml has no %s", name, to)
			continue
		}
		for _, value := range s.values() {
			if !slices.Contains(own.Enum, value) {
				t.Errorf("%s: %s has no value %q", name, to, value)
			}
		}
		for property, p := range s.Properties {
			if slices.Contains(leftOut[to], property) {
				delete(unseen, to+"."+property)
				continue
			}
			if own.Properties[property] == nil {
				t.Errorf("%s: %s has no %s", name, to, property)
				continue
			}
			checkConstant(t, ours, own.Properties[property], name+"."+property, p)
		}
	}
	for member := range unseen {
		t.Errorf("%s is left out, and Google does not have it", member)
	}
}

// singleValues are constants of members that ours describes as plain strings, because other values
// are expected.
var singleValues = []string{"remote", "static", "rank_service", "interaction"}

// checkConstant checks that the enum of our property has the constant of Google's.
func checkConstant(t *testing.T, ours map[string]*schema, own *schema, name string,
	theirs *vendorSchema) {
	t.Helper()
	if theirs.Const == "" || slices.Contains(singleValues, theirs.Const) {
		return
	}
	if len(own.AllOf) == 1 {
		own = ours[own.AllOf[0].Ref[len("#/components/schemas/"):]]
	}
	if !slices.Contains(own.Enum, theirs.Const) {
		t.Errorf("%s: our enum has no value %q", name, theirs.Const)
	}
}

// The document has the names, types and values of Google's SDK for JavaScript, version 3.1.0.
func TestEachMemberAndValueOfGooglesInteractionTypesIsDescribed(t *testing.T) {
	t.Parallel()
	theirs := vendorSchemas(t, "interactions.derived-js-3.1.0.json")
	if len(theirs) < 202 {
		t.Errorf("only %d schemas", len(theirs))
	}
	checkDescribed(t, theirs, notDescribed)
}

// Google's own document of December 2025 has the revision before steps. What both have has the same
// names.
func TestTheNamesOfGooglesFirstDocumentAreTheSame(t *testing.T) {
	t.Parallel()
	theirs := vendorSchemas(t, "interactions.openapi.legacy-2025-12.json")
	for name, s := range theirs {
		if to := ourName(name); to == "StreamEvent" {
			// The names of events changed: interaction.start is interaction.created, content.delta
			// is step.delta.
			delete(s.Properties, "event_type")
		} else if to == "StepDelta" || to == "Step" {
			dropCallTypes(s)
		}
	}
	checkDescribed(t, theirs, removedFromGoogle)
}

// dropCallTypes removes a type that exists no more: a function call has arguments_delta since.
func dropCallTypes(s *vendorSchema) {
	if p := s.Properties["type"]; p != nil && p.Const == "function_call" {
		p.Const = ""
	}
}
