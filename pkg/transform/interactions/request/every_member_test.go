package request_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// everyMember are all members of a step or a block, whatever its type, and an unknown one.
const everyMember = `"id":"i","call_id":"c1","signature":"BBB=","name":"add","server_name":"n",` +
	`"search_type":"web_search","retrieval_type":"rag_store","is_error":true,` +
	`"error":{"code":1,"message":"m"},"role":"user","text":"t",` +
	`"annotations":[{"type":"url_citation","url":"u","start_index":1}],` +
	`"data":"AAAA","uri":"gs://a/b","mime_type":"image/png","resolution":"low","channels":1,` +
	`"sample_rate":8000,"processing":{"type":"static","start_offset":"1s","later":1},"later":{"a":1}`

// everyBlock is content with all members in a block of each type.
func everyBlock() string {
	out := ""
	for _, kind := range []interactionsapi.ContentType{interactionsapi.ContentTypeText,
		interactionsapi.ContentTypeImage, interactionsapi.ContentTypeAudio,
		interactionsapi.ContentTypeVideo, interactionsapi.ContentTypeDocument, "smell"} {
		out += `{"type":"` + string(kind) + `","result":"r",` + everyMember + `},`
	}
	return `[` + out[:len(out)-1] + `]`
}

// checkEveryMode changes each leaf of a request for each of the modes.
func checkEveryMode(t *testing.T, name, document string) {
	t.Helper()
	changed := 0
	for mode, opts := range modes {
		opts := append(slices.Clone(opts), request.WithoutValidation())
		changed += checkLeaves(t, name+": "+mode, []byte(document), false, opts)
	}
	if changed < corpustest.AtLeast(10) {
		t.Errorf("%s: only %d changes", name, changed)
	}
}

// A step of each type has all members that the description has for any step.
func TestEveryMemberOfEveryStepIsVisibleOrReported(t *testing.T) {
	t.Parallel()
	for _, kind := range stepTypes {
		before := []string{asked, called}
		after := []string{returned, said, next}
		switch kind {
		case interactionsapi.StepTypeFunctionResult, interactionsapi.StepTypeUserInput:
			after = []string{said, next}
		case interactionsapi.StepTypeFunctionCall:
			before, after = []string{asked}, []string{
				`{"type":"function_result","call_id":"i","result":"3"}`, said, next}
		}
		summary, content, results := oneBlock, oneBlock, []string{`"r"`}
		switch kind {
		case interactionsapi.StepTypeThought:
			summary = everyBlock()
		case interactionsapi.StepTypeModelOutput:
			content = everyBlock()
		case interactionsapi.StepTypeFunctionResult, interactionsapi.StepTypeUserInput:
			results = []string{`"r"`, `{"a":1}`, `[1]`, everyBlock()}
		}
		for _, result := range results {
			step := `{"type":"` + string(kind) + `","summary":` + summary + `,"content":` + content +
				`,"arguments":{"language":"python","code":"1","later":1},"result":` + result +
				`,` + everyMember + `}`
			if kind == interactionsapi.StepTypeUserInput { // the result is in its content
				step = `{"type":"user_input","content":[{"type":"function_result","result":` +
					result + `,` + everyMember + `},{"type":"text",` + everyMember + `}]}`
			}
			checkEveryMode(t, string(kind), inputOf(slices.Concat(before, []string{step}, after)...))
		}
	}
}

// oneBlock is content of a step whose type has no content.
const oneBlock = `[{"type":"text","text":"s"}]`

// stepTypes are the types of steps, and an unknown one.
var stepTypes = []interactionsapi.StepType{
	interactionsapi.StepTypeUserInput, interactionsapi.StepTypeModelOutput,
	interactionsapi.StepTypeThought, interactionsapi.StepTypeFunctionCall,
	interactionsapi.StepTypeFunctionResult, interactionsapi.StepTypeCodeExecutionCall,
	interactionsapi.StepTypeCodeExecutionResult, interactionsapi.StepTypeGoogleSearchCall,
	interactionsapi.StepTypeGoogleSearchResult, interactionsapi.StepTypeURLContextCall,
	interactionsapi.StepTypeURLContextResult, interactionsapi.StepTypeGoogleMapsCall,
	interactionsapi.StepTypeGoogleMapsResult, interactionsapi.StepTypeFileSearchCall,
	interactionsapi.StepTypeFileSearchResult, interactionsapi.StepTypeRetrievalCall,
	interactionsapi.StepTypeRetrievalResult, interactionsapi.StepTypeMCPServerToolCall,
	interactionsapi.StepTypeMCPServerToolResult, interactionsapi.StepTypeProcessingCall,
	interactionsapi.StepTypeProcessingResult, interactionsapi.StepTypeToolCall, "dance",
}

// A tool of each type has all members that the description has for any tool.
func TestEveryMemberOfEveryToolIsVisibleOrReported(t *testing.T) {
	t.Parallel()
	const members = `"name":"add","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"}}},` +
		`"search_types":["web_search"],"enable_widget":true,"latitude":1.5,"longitude":2.5,` +
		`"file_search_store_names":["s"],"metadata_filter":"m","top_k":3,"environment":"browser",` +
		`"excluded_predefined_functions":["e"],"enable_prompt_injection_detection":true,` +
		`"disabled_safety_policies":["account_creation"],"url":"https://a.example","headers":{"a":"b"},` +
		`"allowed_tools":[{"mode":"any","tools":["t"]}],"retrieval_types":["rag_store"],` +
		`"vertex_ai_search_config":{"engine":"e","later":1},"rag_store_config":{"similarity_top_k":1,"later":1},` +
		`"exa_ai_search_config":{"api_key":"k"},"parallel_ai_search_config":{"api_key":"k"},"later":1`
	for _, kind := range []interactionsapi.ToolType{interactionsapi.ToolTypeFunction,
		interactionsapi.ToolTypeGoogleSearch, interactionsapi.ToolTypeURLContext,
		interactionsapi.ToolTypeCodeExecution, interactionsapi.ToolTypeGoogleMaps,
		interactionsapi.ToolTypeFileSearch, interactionsapi.ToolTypeComputerUse,
		interactionsapi.ToolTypeRetrieval, "teleport"} {
		checkEveryMode(t, string(kind), tools(flash36, `{"type":"`+string(kind)+`",`+members+`}`))
	}
	opts := []request.Option{request.WithoutValidation()} // on Vertex AI it is an error
	checkLeaves(t, "mcp_server", []byte(tools(flash36, `{"type":"mcp_server",`+members+`}`)), false, opts)
}

// A format of each type has all members that the description has for any format.
func TestEveryMemberOfEveryFormatIsVisibleOrReported(t *testing.T) {
	t.Parallel()
	const members = `"aspect_ratio":"16:9","image_size":"1K","sample_rate":8000,"bit_rate":64000,` +
		`"resolution":"720p","duration":"8s","delivery":"inline","gcs_uri":"gs://a/b","later":1`
	for kind, mimeType := range map[interactionsapi.ResponseFormatType]string{
		interactionsapi.ResponseFormatTypeText:  "application/json",
		interactionsapi.ResponseFormatTypeImage: "image/jpeg",
		interactionsapi.ResponseFormatTypeAudio: "audio/wav",
		interactionsapi.ResponseFormatTypeVideo: "video/mp4", "smell": "a/b", "object": "a/b"} {
		format := `{"type":"` + string(kind) + `","mime_type":"` + mimeType +
			`","schema":{"type":"object","properties":{"a":{"type":"string"}}},` + members + `}`
		checkEveryMode(t, string(kind), on(flash36, hi+`,"response_format":`+format))
		checkEveryMode(t, "list of "+string(kind), on(flash36, hi+`,"response_format":[`+format+`]`))
	}
}
