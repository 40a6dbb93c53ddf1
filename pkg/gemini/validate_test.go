package gemini_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// rule is one reason to refuse a request: a request that breaks it, the reported locations, and a
// similar request that does not break it.
type rule struct {
	name    string
	opts    []gemini.ValidateOption
	invalid string
	want    []string
	valid   string
}

var (
	toGemini = []gemini.ValidateOption{gemini.ForGeminiAPI()}
	toVertex = []gemini.ValidateOption{gemini.ForVertexAI()}
)

func to(model string) []gemini.ValidateOption {
	return []gemini.ValidateOption{gemini.ForModel(model)}
}

// at is a model at one backend.
func at(model string, backend []gemini.ValidateOption) []gemini.ValidateOption {
	return append(to(model), backend...)
}

// ask is a request with one question and the members given.
func ask(members string) string {
	return `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],` + members + `}`
}

// configured is a question with a generationConfig.
func configured(members string) string { return ask(`"generationConfig":{` + members + `}`) }

// declared is a question with the parameters of one function.
func declared(schema string) string {
	return ask(`"tools":[{"functionDeclarations":[{"name":"f","parameters":` + schema + `}]}]`)
}

// turns is a conversation; a turn is u: or m: and its parts.
func turns(turns ...string) string {
	var contents []string
	for _, turn := range turns {
		role := `"role":"user",`
		if turn[0] == 'm' {
			role = `"role":"model",`
		}
		contents = append(contents, `{`+role+`"parts":[`+turn[2:]+`]}`)
	}
	return `{"contents":[` + strings.Join(contents, ",") + `]}`
}

// parts of turns: a question, and calls and answers, signed or with ids.
const (
	question = `u:{"text":"What is it like?"}`
	reply    = `m:{"text":"Fine."}`
	callA    = `{"functionCall":{"name":"a"}}`
	callB    = `{"functionCall":{"name":"b"}}`
	callA1   = `{"functionCall":{"name":"a","id":"1"}}`
	callA2   = `{"functionCall":{"name":"a","id":"2"}}`
	signedA  = `{"functionCall":{"name":"a"},"thoughtSignature":"c2ln"}`
	answerA  = `{"functionResponse":{"name":"a","response":{}}}`
	answerB  = `{"functionResponse":{"name":"b","response":{}}}`
	answerA1 = `{"functionResponse":{"name":"a","id":"1","response":{}}}`
	answerA2 = `{"functionResponse":{"name":"a","id":"2","response":{}}}`
)

var contentRules = []rule{
	{"contents are not empty", nil, `{}`, []string{"/contents"}, turns(question)},
	{"contents are not an empty list", nil, `{"contents":[]}`, []string{"/contents"}, turns(question)},
	{"a turn has parts", nil, `{"contents":[{"role":"user"}]}`, []string{"/contents/0/parts"}, `{"contents":[{"parts":[{"text":""}]}]}`},
	{"a role is user or model", nil, `{"contents":[{"role":"assistant","parts":[{"text":"Hi"}]}]}`, []string{"/contents/0/role"}, `{"contents":[{"role":"function","parts":[{"text":"Hi"}]}]}`},
	{"results may have the roles of older programs", toVertex, `{"contents":[{"role":"system","parts":[{"text":"Hi"}]}]}`, []string{"/contents/0/role"}, `{"contents":[{"role":"function","parts":[{"text":"Hi"}]},{"role":"tool","parts":[{"text":"Hi"}]}]}`},
	{"a part holds something", nil, turns(`u:{"text":"Hi"},{}`), []string{"/contents/0/parts/1"}, turns(question, `m:{"thoughtSignature":"c2ln"}`)},
	{"settings may stand alone", nil, turns(`u:{}`), []string{"/contents/0/parts/0"}, turns(`u:{"text":"Look."},{"videoMetadata":{"fps":1}},{"mediaResolution":{}},{"partMetadata":{}},{"thought":true}`)},
	{"a part holds data once", nil, turns(`u:{"text":"Hi","inlineData":{"mimeType":"image/png","data":"iVBO"}}`), []string{"/contents/0/parts/0"}, turns(`u:{"text":"Hi"},{"inlineData":{"mimeType":"image/png","data":"iVBO"}}`)},
	{"media have a type and bytes", nil, turns(`u:{"inlineData":{}}`), []string{"/contents/0/parts/0/inlineData/mimeType", "/contents/0/parts/0/inlineData/data"}, turns(`u:{"inlineData":{"mimeType":"image/png","data":"iV-_+/=="}}`)},
	{"media have a media type", nil, turns(`u:{"inlineData":{"mimeType":"png","data":"iVBO"}}`), []string{"/contents/0/parts/0/inlineData/mimeType"}, turns(`u:{"inlineData":{"mimeType":"x/y","data":"iVBO"}}`)},
	{"bytes are no data URL", nil, turns(`u:{"inlineData":{"mimeType":"image/png","data":"data:image/png;base64,iVBO"}}`), []string{"/contents/0/parts/0/inlineData/data"}, turns(`u:{"inlineData":{"mimeType":"image/png","data":"iVBO"}}`)},
	{"a file has a URI", nil, turns(`u:{"fileData":{"mimeType":"text/plain"}}`), []string{"/contents/0/parts/0/fileData/fileUri"}, turns(`u:{"fileData":{"fileUri":"https://example.com/v"}}`)},
	{"a file on Vertex AI has a type", toVertex, turns(`u:{"fileData":{"fileUri":"gs://b/o"}}`), []string{"/contents/0/parts/0/fileData/mimeType"}, turns(`u:{"fileData":{"fileUri":"gs://b/o","mimeType":"text/plain"}}`)},
	{"frames of a video have a rate", nil, turns(`u:{"fileData":{"fileUri":"x"},"videoMetadata":{"fps":0}}`), []string{"/contents/0/parts/0/videoMetadata/fps"}, turns(`u:{"fileData":{"fileUri":"x"},"videoMetadata":{"fps":24}}`)},
	{"frames of a video have a limit", nil, turns(`u:{"fileData":{"fileUri":"x"},"videoMetadata":{"fps":24.5}}`), []string{"/contents/0/parts/0/videoMetadata/fps"}, turns(`u:{"fileData":{"fileUri":"x"},"videoMetadata":{"fps":0.1}}`)},
	{"offsets are durations", nil, turns(`u:{"fileData":{"fileUri":"x"},"videoMetadata":{"startOffset":"1:30","endOffset":"1.s"}}`), []string{"/contents/0/parts/0/videoMetadata/startOffset", "/contents/0/parts/0/videoMetadata/endOffset"}, turns(`u:{"fileData":{"fileUri":"x"},"videoMetadata":{"startOffset":"0s","endOffset":"90.123456789s"}}`)},
	{"a resolution is one", nil, turns(`u:{"text":"Hi","mediaResolution":{"level":"HUGE"}}`), []string{"/contents/0/parts/0/mediaResolution/level"}, turns(`u:{"text":"Hi","mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}}`)},
	{"a call has a name", nil, turns(question, `m:{"functionCall":{"args":{}}}`), []string{"/contents/1/parts/0/functionCall/name"}, turns(question, `m:{"functionCall":{"name":"a","willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.x","numberValue":1}]}},{"functionCall":{}}`, `u:`+answerA)},
	{"a call of the Gemini API has one always", toGemini, turns(question, `m:{"functionCall":{}}`), []string{"/contents/1/parts/0/functionCall/name"}, turns(question, `m:`+callA)},
	{"arguments are an object", nil, turns(question, `m:{"functionCall":{"name":"a","args":[1]}}`), []string{"/contents/1/parts/0/functionCall/args"}, turns(question, `m:{"functionCall":{"name":"a","args":{}}}`)},
	{"a result is an object", nil, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","response":"ok"}}`), []string{"/contents/2/parts/0/functionResponse/response"}, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a"}}`)},
	{"a result has no media before Gemini 3", to("gemini-2.5-pro"), turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}}]}}`), []string{"/contents/2/parts/0/functionResponse/parts"}, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a"}},{"inlineData":{"mimeType":"image/png","data":"iVBO"}}`)},
	{"media of a result have a media type", nil, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","parts":[{"inlineData":{"mimeType":"gif","data":"iVBO"}}]}}`), []string{"/contents/2/parts/0/functionResponse/parts/0/inlineData/mimeType"}, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","parts":[{"inlineData":{"mimeType":"IMAGE/gif","data":"iVBO"}}]}}`)},
	{"media of a result are inline or a file", nil, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","parts":[{}]}}`), []string{"/contents/2/parts/0/functionResponse/parts/0"}, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","parts":[{"fileData":{"fileUri":"gs://b/o","mimeType":"text/plain"}}]}}`)},
	{"a file of a result on Vertex AI has a type", toVertex, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","parts":[{"fileData":{"fileUri":"gs://b/o"}}]}}`), []string{"/contents/2/parts/0/functionResponse/parts/0/fileData/mimeType"}, turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","parts":[{"fileData":{"fileUri":"gs://b/o","mimeType":"text/plain"}}]}}`)},
	{"server-side calls hold objects", nil, turns(question, `m:{"toolCall":{"args":1}},{"toolResponse":{"response":true}}`), []string{"/contents/1/parts/0/toolCall/args", "/contents/1/parts/1/toolResponse/response"}, turns(question, `m:{"toolCall":{"args":{}}},{"toolResponse":{"response":{}}}`)},
	{"part metadata are an object", nil, turns(`u:{"text":"Hi","partMetadata":"x"}`), []string{"/contents/0/parts/0/partMetadata"}, turns(`u:{"text":"Hi","partMetadata":{"x":1}}`)},
}

var callRules = []rule{
	{"an answer has a call", nil, turns(question, reply, `u:`+answerA), []string{"/contents/2/parts/0"}, turns(question, `m:`+callA, `u:`+answerA)},
	{"an answer has a call of its name", nil, turns(question, `m:`+callA, `u:`+answerB), []string{"/contents/2/parts/0", "/contents/1/parts/0"}, turns(question, `m:`+callA, `u:`+answerA)},
	{"an answer comes right after the call", nil, turns(question, `m:`+callA, question, `u:`+answerA), []string{"/contents/3/parts/0"}, turns(question, `m:`+callA, question)},
	{"an answer has a call of its id since Gemini 3.7", to("gemini-3.7-flash"), turns(question, `m:{"functionCall":{"name":"a","id":"1"},"thoughtSignature":"c2ln"}`, `u:`+answerA2), []string{"/contents/2/parts/0", "/contents/1/parts/0"}, turns(question, `m:{"functionCall":{"name":"a","id":"1"},"thoughtSignature":"c2ln"}`, `u:`+answerA1)},
	{"answers are counted before", to("gemini-2.5-flash"), turns(question, `m:`+callA1, `u:`+answerA2+`,`+answerA1), []string{"/contents/2/parts/1"}, turns(question, `m:`+callA1+`,`+callA2, `u:{"functionResponse":{"name":"a","id":"other"}},`+answerA1)},
	{"an id may be left out of a call", nil, turns(question, `m:`+callA, `u:`+answerA1+`,`+answerA2), []string{"/contents/2/parts/1"}, turns(question, `m:`+callA, `u:`+answerA1)},
	{"an id may be left out of an answer", nil, turns(question, `m:`+callA1+`,`+callA2, `u:`+answerA+`,`+answerA+`,`+answerA), []string{"/contents/2/parts/2"}, turns(question, `m:`+callA1+`,`+callA2, `u:`+answerA+`,`+answerA)},
	{"an answer has the name of its call since Gemini 3.7", to("gemini-3.7-flash"), turns(question, `m:{"functionCall":{"name":"a","id":"1"},"thoughtSignature":"c2ln"}`, `u:{"functionResponse":{"name":"b","id":"1"}}`), []string{"/contents/2/parts/0/functionResponse/name"}, turns(question, `m:{"functionCall":{"name":"a","id":"1"},"thoughtSignature":"c2ln"}`, `u:{"functionResponse":{"name":"a","id":"1"}}`)},
	{"and needs its id alone before", to("gemini-2.5-flash"), turns(question, `m:`+callA1, `u:{"functionResponse":{"name":"b","id":"2"}}`), []string{"/contents/2/parts/0", "/contents/1/parts/0"}, turns(question, `m:`+callA1, `u:{"functionResponse":{"name":"b","id":"1"}}`)},
	{"every call has an answer, if one has", nil, turns(question, `m:`+callA+`,`+callB, `u:`+answerB), []string{"/contents/1/parts/0"}, turns(question, `m:`+callA+`,`+callB, `u:`+answerA+`,`+answerB)},
	{"a call has one answer", nil, turns(question, `m:`+callA1, `u:`+answerA1+`,`+answerA1), []string{"/contents/2/parts/1"}, turns(question, `m:`+callA1+`,`+callA2, `u:`+answerA1+`,`+answerA2)},
	{"answers are in one turn", nil, turns(question, `m:`+callA+`,`+callB, `u:`+answerA, `u:`+answerB), []string{"/contents/1/parts/1", "/contents/3/parts/0"}, turns(question, `m:`+callA+`,`+callB, `u:`+answerA+`,`+answerB+`,{"text":"Done."}`)},
	{"what a server ran is answered in its turn", nil, turns(question, `m:`+callA+`,`+answerA+`,`+answerA, question), []string{"/contents/1/parts/2"}, turns(question, `m:`+callA+`,`+answerA+`,{"text":"So."}`, question)},
	{"a conversation does not begin with a call", nil, turns(`m:`+callA, `u:`+answerA), []string{"/contents/0/parts/0"}, turns(question, `m:`+callA, `u:`+answerA)},
	{"a call comes after the user, or after what the model said then", nil, turns(reply, `m:{"text":"So:"},`+callA, `u:`+answerA), []string{"/contents/1/parts/1"}, turns(question, reply, `m:{"text":"So:"},`+callA, `u:`+answerA, `m:`+callB, `u:`+answerB)},
	{"calls of several turns in a row are answered together", nil, turns(question, `m:`+callA, `m:`+callB, `u:`+answerA), []string{"/contents/2/parts/0"}, turns(question, `m:`+callA, `m:{"text":"And:"}`, `m:`+callB, `u:`+answerB+`,`+answerA, question)},
	{"calls are not given up since Gemini 3", to("gemini-3-flash-preview"), turns(question, `m:`+signedA, question), []string{"/contents/1/parts/0"}, turns(question, `m:`+signedA, `u:`+answerA+`,{"text":"And?"}`)},
	{"but may be on older models", to("gemini-2.0-flash"), turns(question, `m:`+callA, `u:`+answerB), []string{"/contents/2/parts/0", "/contents/1/parts/0"}, turns(question, `m:`+callA, question)},
	{"calls do not end the contents since Gemini 3.6", to("gemini-3.6-flash"), turns(question, `m:`+signedA), []string{"/contents/1/role"}, turns(question, `m:`+signedA, `u:`+answerA)},
	{"but did before", to("gemini-3.5-flash"), turns(question, `m:`+callA), []string{"/contents/1/parts/0/thoughtSignature"}, turns(question, `m:`+signedA)},
	{"a cache may hold the call", nil, `{"cachedContent":"","contents":[{"parts":[` + answerA + `]}]}`, []string{"/contents/0/parts/0"}, `{"cachedContent":"cachedContents/1","contents":[{"parts":[` + answerA + `]}]}`},
	{"a cache may hold the question", nil, turns(`m:`+callA, `u:`+answerA), []string{"/contents/0/parts/0"}, `{"cachedContent":"cachedContents/1","contents":[{"role":"model","parts":[` + callA + `]},{"parts":[` + answerA + `]}]}`},
	{"the newest models do not carry on", to("gemini-3.7-flash"), turns(question, reply), []string{"/contents/1/role"}, turns(question, reply, question)},
	{"a result may end a turn of the model", to("gemini-3.7-flash"), turns(question, `m:`+signedA+`,`+answerA+`,{"text":"So"}`), []string{"/contents/1/role"}, turns(question, `m:`+signedA+`,`+answerA)},
	{"a call is signed since Gemini 3", to("gemini-3-pro-preview"), turns(question, `m:`+callA, `u:`+answerA), []string{"/contents/1/parts/0/thoughtSignature"}, turns(question, `m:`+signedA, `u:`+answerA)},
	{"an empty signature does not count", to("gemini-3-pro-preview"), turns(question, `m:{"functionCall":{"name":"a"},"thoughtSignature":""}`, `u:`+answerA), []string{"/contents/1/parts/0/thoughtSignature"}, turns(question, `m:`+signedA+`,`+callB, `u:`+answerA+`,`+answerB)},
	{"every step is signed", to("gemini-3-pro-preview"), turns(question, `m:`+signedA, `u:`+answerA, `m:`+callB, `u:`+answerB), []string{"/contents/3/parts/0/thoughtSignature"}, turns(question, `m:`+signedA, `u:`+answerA, `m:`+signedA, `u:`+answerA)},
	{"only the current turn is signed", to("gemini-3-pro-preview"), turns(question, `m:`+callA, `u:`+answerA), []string{"/contents/1/parts/0/thoughtSignature"}, turns(question, `m:`+callA, `u:`+answerA, reply, question)},
	{"media with a result begin no turn", to("gemini-3-pro-preview"), turns(question, `m:`+callA, `u:`+answerA+`,{"inlineData":{"mimeType":"image/png","data":"iVBO"}}`), []string{"/contents/1/parts/0/thoughtSignature"}, turns(question, `m:`+callA, `u:`+answerA+`,{"text":"Look."}`)},
	{"3 Pro Image does not insist on signatures", to("gemini-3-pro-image-preview"), turns(question, `m:`+callA, `u:`+answerB), []string{"/contents/2/parts/0", "/contents/1/parts/0"}, turns(question, `m:`+callA, `u:`+answerA)},
}

var toolRules = []rule{
	{"a tool of the Gemini API is one", toGemini, ask(`"tools":[{}]`), []string{"/tools/0"}, ask(`"tools":[{"googleSearch":{}}]`)},
	{"an empty list of functions is no tool", toGemini, ask(`"tools":[{"functionDeclarations":[]}]`), []string{"/tools/0"}, ask(`"tools":[]`)},
	{"a function has a name", nil, ask(`"tools":[{"functionDeclarations":[{}]}]`), []string{"/tools/0/functionDeclarations/0/name"}, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}]`)},
	{"a name begins with a letter", nil, ask(`"tools":[{"functionDeclarations":[{"name":"1f"},{"name":"-f"},{"name":"über"}]}]`), []string{"/tools/0/functionDeclarations/0/name", "/tools/0/functionDeclarations/1/name", "/tools/0/functionDeclarations/2/name"}, ask(`"tools":[{"functionDeclarations":[{"name":"_1f"},{"name":"F-.:_9"}]}]`)},
	{"a name holds no space", nil, ask(`"tools":[{"functionDeclarations":[{"name":"get weather"}]}]`), []string{"/tools/0/functionDeclarations/0/name"}, ask(`"tools":[{"functionDeclarations":[{"name":"get_weather"}]}]`)},
	{"a name is short", nil, ask(`"tools":[{"functionDeclarations":[{"name":"` + strings.Repeat("f", 129) + `"}]}]`), []string{"/tools/0/functionDeclarations/0/name"}, ask(`"tools":[{"functionDeclarations":[{"name":"` + strings.Repeat("f", 128) + `"}]}]`)},
	{"names differ in all tools", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]},{"functionDeclarations":[{"name":"g"},{"name":"f"}]}]`), []string{"/tools/1/functionDeclarations/1/name"}, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]},{"functionDeclarations":[{"name":"g"},{"name":"F"}]}]`)},
	{"parameters are described once", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"},"parametersJsonSchema":{}}]}]`), []string{"/tools/0/functionDeclarations/0/parametersJsonSchema"}, ask(`"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{}}]}]`)},
	{"a result is described once", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f","response":{"type":"STRING"},"responseJsonSchema":{}}]}]`), []string{"/tools/0/functionDeclarations/0/responseJsonSchema"}, ask(`"tools":[{"functionDeclarations":[{"name":"f","response":{"type":"STRING"}}]}]`)},
	{"parameters are an object", nil, declared(`{"type":"STRING"}`), []string{"/tools/0/functionDeclarations/0/parameters/type"}, declared(`{"type":"object","properties":{}}`)},
	{"a JSON Schema is not a text", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":"{}"}]}]`), []string{"/tools/0/functionDeclarations/0/parametersJsonSchema"}, ask(`"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":true}]}]`)},
	{"a function that may be called is declared", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f","g"]}}`), []string{"/toolConfig/functionCallingConfig/allowedFunctionNames/1"}, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]},{"functionDeclarations":[{"name":"g"}]}],"toolConfig":{"functionCallingConfig":{"mode":"validated","allowedFunctionNames":["f","g"]}}`)},
	{"an MCP server may declare it", nil, ask(`"tools":[{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}`), []string{"/toolConfig/functionCallingConfig/allowedFunctionNames/0"}, ask(`"tools":[{"mcpServers":[{"name":"s"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}`)},
	{"allowed names go with ANY or VALIDATED", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO","allowedFunctionNames":["f"]}}`), []string{"/toolConfig/functionCallingConfig/allowedFunctionNames"}, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"any","allowedFunctionNames":["f"]}}`)},
	{"allowed names need a mode", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"allowedFunctionNames":["f"]}}`), []string{"/toolConfig/functionCallingConfig/allowedFunctionNames"}, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{}}`)},
	{"calling needs a tool at the Gemini API", toGemini, ask(`"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`), []string{"/toolConfig/functionCallingConfig"}, ask(`"tools":[{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":[]}}`)},
	{"functions of 2.5 answer in no JSON at the Gemini API", at("gemini-2.5-flash", toGemini), ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"generationConfig":{"responseMimeType":"application/json"}`), []string{"/generationConfig/responseMimeType"}, ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},"generationConfig":{"responseMimeType":"application/json"}`)},
	{"nor are they combined with a search", at("gemini-2.0-flash", toGemini), ask(`"tools":[{"functionDeclarations":[{"name":"f"}],"googleSearch":{}}]`), []string{"/tools/0/googleSearch"}, ask(`"tools":[{"googleSearch":{}}]`)},
	{"since Gemini 3 they do, if its calls are shown", at("gemini-3.5-flash", toGemini), ask(`"tools":[{"functionDeclarations":[{"name":"f"}]},{"codeExecution":{}}]`), []string{"/tools/1/codeExecution"}, ask(`"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]},{"urlContext":{}}],"toolConfig":{"includeServerSideToolInvocations":true}`)},
	{"a place is on the earth", nil, ask(`"toolConfig":{"retrievalConfig":{"latLng":{"latitude":90.5,"longitude":-181}}}`), []string{"/toolConfig/retrievalConfig/latLng/latitude", "/toolConfig/retrievalConfig/latLng/longitude"}, ask(`"toolConfig":{"retrievalConfig":{"latLng":{"latitude":-90,"longitude":180}}}`)},
	{"a range of time has times", nil, ask(`"tools":[{"googleSearch":{"timeRangeFilter":{"startTime":"yesterday","endTime":"2026-08-22"}}}]`), []string{"/tools/0/googleSearch/timeRangeFilter/startTime", "/tools/0/googleSearch/timeRangeFilter/endTime"}, ask(`"tools":[{"googleSearch":{"timeRangeFilter":{"startTime":"2026-08-22T00:00:00Z","endTime":"2026-08-22T10:00:00.5+02:00"}}}]`)},
	{"a server answers in a time", nil, ask(`"tools":[{"mcpServers":[{"streamableHttpTransport":{"timeout":"10","sseReadTimeout":"five minutes"}}]}]`), []string{"/tools/0/mcpServers/0/streamableHttpTransport/timeout", "/tools/0/mcpServers/0/streamableHttpTransport/sseReadTimeout"}, ask(`"tools":[{"mcpServers":[{"streamableHttpTransport":{"timeout":"10s","sseReadTimeout":"300.5s"}}]}]`)},
	{"a cache has a name", nil, ask(`"cachedContent":"1234567890"`), []string{"/cachedContent"}, ask(`"cachedContent":"projects/p/locations/l/cachedContents/1234567890"`)},
	{"a cache holds the instruction and the tools", nil, ask(`"cachedContent":"cachedContents/1","systemInstruction":{"parts":[{"text":"Be brief."}]},"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{}}`), []string{"/systemInstruction", "/tools", "/toolConfig"}, ask(`"cachedContent":"cachedContents/1","tools":[],"generationConfig":{"temperature":0}`)},
}

var schemaRules = []rule{
	{"a Schema is no JSON Schema", nil, declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING","const":"x"},"b":{"$ref":"#/$defs/b"}},"$defs":{"b":{}}}`), []string{"/tools/0/functionDeclarations/0/parameters/$defs", "/tools/0/functionDeclarations/0/parameters/properties/a/const", "/tools/0/functionDeclarations/0/parameters/properties/b/$ref"}, ask(`"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object","properties":{"a":{"const":"x"},"b":{"$ref":"#/$defs/b"}},"$defs":{"b":{}}}}]}]`)},
	{"at any depth", nil, declared(`{"type":"OBJECT","properties":{"a":{"type":"ARRAY","items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER","exclusiveMinimum":0}]}}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/items/anyOf/1/exclusiveMinimum"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"ARRAY","items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER","minimum":0}]}}}}`)},
	{"names of properties are escaped", nil, declared(`{"type":"OBJECT","properties":{"a/b~c":{"type":"STRING","oneOf":[]}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a~1b~0c/oneOf"}, declared(`{"type":"OBJECT","properties":{"a/b~c":{"type":"STRING"}}}`)},
	{"properties are of an object", nil, declared(`{"type":"OBJECT","properties":{"a":{"properties":{"b":{"type":"STRING"}},"required":["b"]}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/properties", "/tools/0/functionDeclarations/0/parameters/properties/a/required"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"object","properties":{"b":{"type":"STRING"}},"required":["b"]}}}`)},
	{"what is required is a property", nil, declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a","b"]}`), []string{"/tools/0/functionDeclarations/0/parameters/required/1"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"]}`)},
	{"items are of an array", nil, declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING","items":{"type":"STRING"},"minItems":"1","maxItems":2}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/items", "/tools/0/functionDeclarations/0/parameters/properties/a/maxItems", "/tools/0/functionDeclarations/0/parameters/properties/a/minItems"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"ARRAY","items":{"type":"STRING"},"minItems":"1","maxItems":2}}}`)},
	{"an array has items", nil, declared(`{"type":"OBJECT","properties":{"a":{"type":"ARRAY"}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/items"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"ARRAY","items":{}}}}`)},
	{"an enum is of strings", toGemini, declared(`{"type":"OBJECT","properties":{"a":{"type":"INTEGER","enum":["1"]}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/enum"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING","enum":["1"]}}}`)},
	{"Vertex AI takes an enum of integers, but wants a type", toVertex, declared(`{"type":"OBJECT","properties":{"a":{"enum":["1"]}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/type"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"INTEGER","enum":["1"]}}}`)},
	{"a value of an enum is not empty", nil, declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING","enum":["x",""]}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/enum/1"}, declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING","enum":["x"," "]}}}`)},
	{"a type is one", nil, declared(`{"type":"OBJECT","properties":{"a":{"type":"map"}}}`), []string{"/tools/0/functionDeclarations/0/parameters/properties/a/type"}, declared(`{"type":"6","properties":{"a":{"type":"string"}}}`)},
	{"references are for Vertex AI", toGemini, declared(`{"type":"OBJECT","additionalProperties":false,"defs":{"a":{"type":"STRING"}},"properties":{"a":{"ref":"#/defs/a"}}}`), []string{"/tools/0/functionDeclarations/0/parameters/additionalProperties", "/tools/0/functionDeclarations/0/parameters/defs", "/tools/0/functionDeclarations/0/parameters/properties/a/ref"}, declared(`{"type":"OBJECT"}`)},
	{"the answer has one schema", nil, configured(`"responseMimeType":"application/json","responseSchema":{"type":"STRING"},"responseJsonSchema":{},"_responseJsonSchema":{},"responseFormat":{"text":{"schema":{}}}`), []string{"/generationConfig/responseJsonSchema", "/generationConfig/_responseJsonSchema", "/generationConfig/responseFormat"}, configured(`"responseMimeType":"application/json","responseJsonSchema":{}`)},
	{"a schema needs a MIME type", nil, configured(`"responseSchema":{"type":"STRING"}`), []string{"/generationConfig/responseMimeType"}, configured(`"responseMimeType":"application/json","responseSchema":{"type":"STRING"}`)},
	{"a schema needs the right MIME type", nil, configured(`"responseMimeType":"text/plain","responseJsonSchema":{}`), []string{"/generationConfig/responseMimeType"}, configured(`"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]}`)},
	{"the answer is of a known MIME type", nil, configured(`"responseMimeType":"json"`), []string{"/generationConfig/responseMimeType"}, configured(`"responseMimeType":"application/yaml"`)},
	{"the answer's JSON Schema is not a text", nil, configured(`"responseMimeType":"application/json","responseJsonSchema":"{}"`), []string{"/generationConfig/responseJsonSchema"}, configured(`"responseMimeType":"application/json","responseJsonSchema":{}`)},
	{"the answer's schema is a Schema", nil, configured(`"responseMimeType":"application/json","responseSchema":{"type":"ARRAY","items":{"type":"NUMBER","multipleOf":2}}`), []string{"/generationConfig/responseSchema/items/multipleOf"}, configured(`"responseMimeType":"application/json","responseSchema":{"type":"ARRAY","items":{"type":"NUMBER","nullable":true}}`)},
	{"a result's schema is a Schema", nil, ask(`"tools":[{"functionDeclarations":[{"name":"f","response":{"type":"STRING","not":{}}}]}]`), []string{"/tools/0/functionDeclarations/0/response/not"}, ask(`"tools":[{"functionDeclarations":[{"name":"f","response":{"type":"STRING"}}]}]`)},
}

var configRules = []rule{
	{"temperature", nil, configured(`"temperature":-0.1`), []string{"/generationConfig/temperature"}, configured(`"temperature":0`)},
	{"temperature above", nil, configured(`"temperature":2.01`), []string{"/generationConfig/temperature"}, configured(`"temperature":2`)},
	{"temperature is a number", nil, configured(`"temperature":"NaN"`), []string{"/generationConfig/temperature"}, configured(`"temperature":"1"`)},
	{"temperature has an end", nil, configured(`"temperature":"Infinity","topP":"-Infinity"`), []string{"/generationConfig/temperature", "/generationConfig/topP"}, configured(`"temperature":2.0`)},
	{"topP", nil, configured(`"topP":-0.1`), []string{"/generationConfig/topP"}, configured(`"topP":0`)},
	{"topP above", nil, configured(`"topP":1.1`), []string{"/generationConfig/topP"}, configured(`"topP":1`)},
	{"topK", nil, configured(`"topK":0`), []string{"/generationConfig/topK"}, configured(`"topK":1`)},
	{"candidateCount", nil, configured(`"candidateCount":0`), []string{"/generationConfig/candidateCount"}, configured(`"candidateCount":1`)},
	{"candidateCount above", nil, configured(`"candidateCount":9`), []string{"/generationConfig/candidateCount"}, configured(`"candidateCount":8`)},
	{"maxOutputTokens", nil, configured(`"maxOutputTokens":0`), []string{"/generationConfig/maxOutputTokens"}, configured(`"maxOutputTokens":1`)},
	{"maxOutputTokens above", nil, configured(`"maxOutputTokens":2147483648`), []string{"/generationConfig/maxOutputTokens"}, configured(`"maxOutputTokens":2147483647`)},
	{"presencePenalty", nil, configured(`"presencePenalty":-2.1`), []string{"/generationConfig/presencePenalty"}, configured(`"presencePenalty":-2`)},
	{"frequencyPenalty", nil, configured(`"frequencyPenalty":2.1`), []string{"/generationConfig/frequencyPenalty"}, configured(`"frequencyPenalty":1.9`)},
	{"penalties of 2.5 at the Gemini API", at("gemini-2.5-flash", toGemini), configured(`"presencePenalty":0.5,"frequencyPenalty":-1`), []string{"/generationConfig/frequencyPenalty", "/generationConfig/presencePenalty"}, configured(`"presencePenalty":0,"frequencyPenalty":0`)},
	{"log probabilities of 2.5 Pro at the Gemini API", at("gemini-2.5-pro", toGemini), configured(`"responseLogprobs":true,"logprobs":3`), []string{"/generationConfig/responseLogprobs"}, configured(`"responseLogprobs":false`)},
	{"logprobs", nil, configured(`"responseLogprobs":true,"logprobs":21`), []string{"/generationConfig/logprobs"}, configured(`"responseLogprobs":true,"logprobs":20`)},
	{"logprobs below", nil, configured(`"responseLogprobs":true,"logprobs":-1`), []string{"/generationConfig/logprobs"}, configured(`"responseLogprobs":true,"logprobs":0`)},
	{"logprobs want responseLogprobs", nil, configured(`"logprobs":2`), []string{"/generationConfig/logprobs"}, configured(`"responseLogprobs":true`)},
	{"seed has 32 bits", nil, configured(`"seed":2147483648`), []string{"/generationConfig/seed"}, configured(`"seed":-2147483648`)},
	{"five stop sequences", nil, configured(`"stopSequences":["1","2","3","4","5","6"]`), []string{"/generationConfig/stopSequences"}, configured(`"stopSequences":["1","2","3","4","5"]`)},
	{"a budget or a level", nil, configured(`"thinkingConfig":{"thinkingBudget":0,"thinkingLevel":"LOW"}`), []string{"/generationConfig/thinkingConfig"}, configured(`"thinkingConfig":{"thinkingBudget":0,"thinkingLevel":"THINKING_LEVEL_UNSPECIFIED"}`)},
	{"a level is for Gemini 3", to("gemini-2.5-flash"), configured(`"thinkingConfig":{"thinkingLevel":"LOW"}`), []string{"/generationConfig/thinkingConfig/thinkingLevel"}, configured(`"thinkingConfig":{"thinkingBudget":1024}`)},
	{"a level is one of the model's", to("gemini-3.1-pro-preview"), configured(`"thinkingConfig":{"thinkingLevel":"minimal"}`), []string{"/generationConfig/thinkingConfig/thinkingLevel"}, configured(`"thinkingConfig":{"thinkingLevel":"medium"}`)},
	{"a level is one at all", to("gemini-3.1-pro-preview"), configured(`"thinkingConfig":{"thinkingLevel":"xhigh"}`), []string{"/generationConfig/thinkingConfig/thinkingLevel"}, configured(`"thinkingConfig":{"thinkingLevel":"high"}`)},
	{"a budget is for models that think", to("gemini-2.0-flash"), configured(`"thinkingConfig":{"thinkingBudget":0}`), []string{"/generationConfig/thinkingConfig/thinkingBudget"}, configured(`"thinkingConfig":{"includeThoughts":true}`)},
	{"a budget is in the model's range", to("gemini-2.5-pro"), configured(`"thinkingConfig":{"thinkingBudget":0}`), []string{"/generationConfig/thinkingConfig/thinkingBudget"}, configured(`"thinkingConfig":{"thinkingBudget":-1}`)},
	{"the request may name the model", nil, ask(`"model":"models/gemini-2.5-pro","generationConfig":{"thinkingConfig":{"thinkingBudget":127}}`), []string{"/generationConfig/thinkingConfig/thinkingBudget"}, ask(`"model":"models/gemini-2.5-flash","generationConfig":{"thinkingConfig":{"thinkingBudget":127}}`)},
	{"the caller knows better", to("gemini-2.5-pro"), ask(`"model":"models/gemini-2.5-flash","generationConfig":{"thinkingConfig":{"thinkingBudget":127}}`), []string{"/generationConfig/thinkingConfig/thinkingBudget"}, ask(`"model":"models/gemini-2.5-flash","generationConfig":{"thinkingConfig":{"thinkingBudget":128}}`)},
	{"no name is no model", to(""), ask(`"model":"models/gemini-2.5-pro","generationConfig":{"thinkingConfig":{"thinkingBudget":1}}`), []string{"/generationConfig/thinkingConfig/thinkingBudget"}, configured(`"thinkingConfig":{"thinkingBudget":1}`)},
	{"one voice or several", nil, configured(`"speechConfig":{"voiceConfig":{},"multiSpeakerVoiceConfig":{}}`), []string{"/generationConfig/speechConfig"}, configured(`"speechConfig":{"multiSpeakerVoiceConfig":{"speakerVoiceConfigs":[{"speaker":"Ann","voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"Kore"}}}]}}`)},
	{"a voice is of one kind", nil, configured(`"speechConfig":{"voiceConfig":{"prebuiltVoiceConfig":{},"replicatedVoiceConfig":{}}}`), []string{"/generationConfig/speechConfig/voiceConfig"}, configured(`"speechConfig":{"voiceConfig":{"replicatedVoiceConfig":{}}}`)},
	{"routing is automatic or manual", nil, configured(`"routingConfig":{"autoMode":{},"manualMode":{}}`), []string{"/generationConfig/routingConfig"}, configured(`"routingConfig":{"manualMode":{}}`)},
	{"a safety setting has a category", nil, ask(`"safetySettings":[{"threshold":"OFF"},{"category":"HARM_CATEGORY_UNSPECIFIED"}]`), []string{"/safetySettings/0/category", "/safetySettings/1/category"}, ask(`"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT"}]`)},
	{"a category has one safety setting", nil, ask(`"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"},{"category":"HARM_CATEGORY_HARASSMENT"}]`), []string{"/safetySettings/1/category"}, ask(`"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT"},{"category":"HARM_CATEGORY_HATE_SPEECH"}]`)},
	{"a category is no old one", nil, ask(`"safetySettings":[{"category":"HARM_CATEGORY_MEDICAL"}]`), []string{"/safetySettings/0/category"}, ask(`"safetySettings":[{"category":"HARM_CATEGORY_CIVIC_INTEGRITY"}]`)},
	{"harm in images is for Vertex AI", toGemini, ask(`"safetySettings":[{"category":"HARM_CATEGORY_IMAGE_HATE"}]`), []string{"/safetySettings/0/category"}, ask(`"safetySettings":[{"category":"HARM_CATEGORY_JAILBREAK"}]`)},
	{"Model Armor takes the place of safety settings", nil, ask(`"modelArmorConfig":{},"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT"}]`), []string{"/safetySettings"}, ask(`"modelArmorConfig":{},"safetySettings":[]`)},
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, r := range slices.Concat(contentRules, callRules, toolRules, schemaRules, configRules) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, problem := range problemsOf(t, r.invalid, r.opts...) {
				got = append(got, problem.Pointer)
			}
			if diff := cmp.Diff(r.want, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", r.invalid, diff)
			}
			if problems := problemsOf(t, r.valid, r.opts...); problems != nil {
				t.Errorf("%s is valid, but: %v", r.valid, problems)
			}
		})
	}
}

func TestAProblemSaysWhatIsWrongAndWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	tests := []struct {
		document string
		opts     []gemini.ValidateOption
		want     []validation.Violation
	}{
		{configured(`"temperature":3`), nil, []validation.Violation{
			{Pointer: "/generationConfig/temperature", Rule: "range", Value: "3", Want: "3 is out of range; must be from 0 to 2"},
		}},
		{turns(question, `m:`+callB, `u:`+answerA), nil, []validation.Violation{
			{Pointer: "/contents/2/parts/0", Rule: "answers", Value: `"a"`, Want: `functionResponse "a" answers no earlier call; expected one of "b"`},
			{Pointer: "/contents/1/parts/0", Rule: "answers", Value: `"b"`, Want: `functionCall "b" is not answered; /contents/2 must hold a functionResponse to it`},
		}},
		{turns(question, `m:`+callA1+`,`+callA2, `u:`+answerA1+`,`+answerA1), nil,
			[]validation.Violation{
				{Pointer: "/contents/2/parts/1", Rule: "answers", Value: `"a"`, Want: `functionResponse "a" with id "1" answers a call that already has an answer; each call has one answer`},
				{Pointer: "/contents/1/parts/1", Rule: "answers", Value: `"a"`, Want: `functionCall "a" is not answered; /contents/2 must hold a functionResponse to it`},
			}},
		{turns(question,
			`m:{"functionCall":{"name":"a","id":"1"},"thoughtSignature":"c2ln"},`+callA2,
			`u:{"functionResponse":{"name":"a","id":"3"}},`+answerA1), to("gemini-3.7-flash"),
			[]validation.Violation{
				{Pointer: "/contents/2/parts/0", Rule: "answers", Value: `"a"`, Want: `functionResponse "a" with id "3" answers no earlier call; expected one of "a" with id "1", "a" with id "2"`},
				{Pointer: "/contents/1/parts/1", Rule: "answers", Value: `"a"`, Want: `functionCall "a" is not answered; /contents/2 must hold a functionResponse to it`},
			}},
		{turns(`u:` + answerA), nil, []validation.Violation{
			{Pointer: "/contents/0/parts/0", Rule: "answers", Value: `"a"`, Want: `functionResponse "a" answers no earlier call; the previous turn has no unanswered call`},
		}},
		{turns(question, `m:`+callA, `u:`+answerA), to("models/gemini-3.5-flash"),
			[]validation.Violation{
				{Pointer: "/contents/1/parts/0/thoughtSignature", Rule: "signature", Want: `functionCall "a" has no thought signature; gemini-3.5-flash requires the signature that the first call of a step had`},
			}},
		{turns(question, reply), to("gemini-3.6-flash"), []validation.Violation{
			{Pointer: "/contents/1/role", Rule: "turns", Value: `"model"`, Want: `gemini-3.6-flash does not continue a model turn; the last turn must be the user's`},
		}},
		{turns(`u:{"text":"Hi","thought":true},{}`, `m:{"text":"Hi","functionCall":{"name":"a"}}`),
			nil, []validation.Violation{
				{Pointer: "/contents/0/parts/1", Rule: "one_member", Want: "the part holds no data; it must hold one of text, inlineData, fileData, functionCall, functionResponse, executableCode, codeExecutionResult, toolCall, toolResponse"},
				{Pointer: "/contents/1/parts/0", Rule: "one_member", Want: "the part holds text and functionCall; it must hold one of them"},
			}},
		{configured(`"thinkingConfig":{"thinkingLevel":"MINIMAL"}`), to("gemini-3.7-flash"),
			[]validation.Violation{
				{Pointer: "/generationConfig/thinkingConfig/thinkingLevel", Rule: "model", Value: `"MINIMAL"`, Want: "gemini-3.7-flash does not accept thinkingLevel MINIMAL; must be one of LOW, MEDIUM, HIGH"},
			}},
		{configured(`"thinkingConfig":{"thinkingLevel":"LOW"}`), to("gemini-2.5-pro"),
			[]validation.Violation{
				{Pointer: "/generationConfig/thinkingConfig/thinkingLevel", Rule: "model", Value: `"LOW"`, Want: "gemini-2.5-pro does not accept thinkingLevel; set thinkingBudget"},
			}},
		{configured(`"thinkingConfig":{"thinkingBudget":100}`), to("gemini-2.5-flash-lite"),
			[]validation.Violation{
				{Pointer: "/generationConfig/thinkingConfig/thinkingBudget", Rule: "model", Value: "100", Want: "100 is out of range for gemini-2.5-flash-lite; must be from 512 to 24576, 0 to turn thinking off, or -1 to let the model decide"},
			}},
		{configured(`"thinkingConfig":{"thinkingBudget":100}`), to("gemma-4-31b-it"),
			[]validation.Violation{
				{Pointer: "/generationConfig/thinkingConfig/thinkingBudget", Rule: "model", Value: "100", Want: "gemma-4-31b-it does not accept thinkingBudget; set thinkingLevel"},
			}},
		{declared(`{"type":"OBJECT","properties":{"a":{"type":"STRING","const":"x"}}}`), nil,
			[]validation.Violation{
				{Pointer: "/tools/0/functionDeclarations/0/parameters/properties/a/const", Rule: "unknown", Want: "the API has no such member here and refuses the request; use enum with the one value"},
			}},
		{ask(`"tools":[{"functionDeclarations":[{"name":"get_time"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["get_weather"]}}`),
			nil, []validation.Violation{
				{Pointer: "/toolConfig/functionCallingConfig/allowedFunctionNames/0", Rule: "declared", Value: `"get_weather"`, Want: `"get_weather" is not declared in tools; expected one of "get_time"`},
			}},
		{ask(`"tools":[{"functionDeclarations":[{"name":"f1"},{"name":"f2"},{"name":"f3"},{"name":"f4"},{"name":"f5"},{"name":"f6"},{"name":"f7"},{"name":"f8"},{"name":"f9"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f0"]}}`),
			nil, []validation.Violation{
				{Pointer: "/toolConfig/functionCallingConfig/allowedFunctionNames/0", Rule: "declared", Value: `"f0"`, Want: `"f0" is not declared in tools; expected one of "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", ...`},
			}},
		{configured(`"temperature":"NaN","topP":1e300`), nil, []validation.Violation{
			{Pointer: "/generationConfig/temperature", Rule: "range", Value: `"NaN"`, Want: `"NaN" is out of range; must be from 0 to 2`},
			{Pointer: "/generationConfig/topP", Rule: "range", Value: `1e+300`, Want: `1e+300 is out of range; must be from 0 to 1`},
		}},
		{ask(`"store":true`), toVertex, []validation.Violation{
			{Pointer: "/store", Rule: "backend", Want: "only the Gemini API has this; Vertex AI refuses it"},
		}},
		{configured(`"audioTimestamp":true`), toGemini, []validation.Violation{
			{Pointer: "/generationConfig/audioTimestamp", Rule: "backend", Want: "only Vertex AI has this; the Gemini API refuses it"},
		}},
		{configured(`"responseModalities":["TEXT","SMELL"]`), nil, []validation.Violation{
			{Pointer: "/generationConfig/responseModalities/1", Rule: "oneof", Value: `"SMELL"`, Want: `"SMELL" is not a value of this enum; must be one of TEXT, IMAGE, AUDIO, VIDEO`},
		}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, problemsOf(t, tt.document, tt.opts...)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.document, diff)
		}
	}
}

// A Schema has one type. A list of types does not decode, and the backends refuse it too.
func TestAListOfTypesIsNoRequest(t *testing.T) {
	t.Parallel()
	_, err := gemini.DecodeRequest([]byte(declared(`{"type":"OBJECT","properties":{"a":{"type":["STRING","NULL"]}}}`)))
	malformed, ok := errors.AsType[*wire.MalformedError](err)
	if !ok || malformed.Pointer != "/tools/0/functionDeclarations/0/parameters/properties/a/type" {
		t.Errorf("the error is %v", err)
	}
}

func TestRequestOfNothing(t *testing.T) {
	t.Parallel()
	for _, request := range []*geminiapi.GenerateContentRequest{nil, {}} {
		err := gemini.ValidateRequest(request)
		const want = "gemini: /contents: no content; a request needs at least one turn"
		if err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// A program can build values that no JSON decodes to.
func TestUnknownMembersThatAreNoObject(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{`"x"`, `{`, `{"a":1,"b"`, `{"a"`, `x`, `[1]`} {
		request, err := gemini.DecodeRequest([]byte(turns(question)))
		if err != nil {
			t.Fatal(err)
		}
		request.Unknown = jsontext.Value(unknown)
		invalid, ok := errors.AsType[*validation.Error](gemini.ValidateRequest(request))
		if !ok {
			t.Errorf("%s is valid", unknown)
			continue
		}
		last := invalid.Violations[len(invalid.Violations)-1]
		if last.Pointer != "" || !strings.Contains(last.Want, "not a JSON object") {
			t.Errorf("%s: %v", unknown, invalid.Violations)
		}
	}
}

// The order of problems is always the same, although a map holds the properties.
func TestProblemsAreInOneOrder(t *testing.T) {
	t.Parallel()
	document := declared(`{"type":"OBJECT","properties":{"c":{"x":1,"type":"ARRAY"},"a":{"y":2,"z":3},"b":{"type":"OBJECT","properties":{"q":{"r":4},"p":{"s":5}}}}}`)
	want := problemsOf(t, document)
	if len(want) != 6 ||
		!slices.IsSortedFunc(want,
			func(a, b validation.Violation) int { return strings.Compare(a.Pointer, b.Pointer) }) {
		t.Fatalf("the problems are %v", want)
	}
	for range 50 {
		if diff := cmp.Diff(want, problemsOf(t, document)); diff != "" {
			t.Fatalf("another order: %s", diff)
		}
	}
}
