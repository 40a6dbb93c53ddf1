package gemini_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// allTargets are the backends, known or not, with the models of the requests below, or without a
// model.
func allTargets(models ...string) [][]gemini.ValidateOption {
	var out [][]gemini.ValidateOption
	for _, model := range append(models, "") {
		for _, backend := range [][]gemini.ValidateOption{nil, toGemini, toVertex} {
			out = append(out, slices.Concat(to(model), backend))
		}
	}
	return out
}

// Forms of requests that were answered, or that are not known to be refused. The first of each kind
// was recorded; the others are similar.
func TestRequestsThatWereNeverRefusedAreValid(t *testing.T) {
	t.Parallel()
	before3 := allTargets("gemini-2.0-flash", "gemini-2.5-flash", "gemini-2.5-pro")
	since3 := allTargets("gemini-3-flash-preview", "gemini-3.5-flash", "gemini-3.7-flash")
	all := slices.Concat(before3, since3)
	const signedB = `{"functionCall":{"name":"b"},"thoughtSignature":"c2ln"}`
	for _, tt := range []struct {
		name, request string
		targets       [][]gemini.ValidateOption
	}{
		{"calls of two turns in a row, answered together", turns(question, `m:`+signedA, `m:`+signedB, `u:`+answerA+`,`+answerB), all},
		{"calls of three, with text between", turns(question, `m:{"text":"First:"}`, `m:`+signedA, `m:{"text":"Then:"}`, `m:`+signedB, `u:`+answerA+`,`+answerB), all},
		{"a call after a turn of text", turns(question, reply, `m:`+signedA, `u:`+answerA), all},
		{"answers in another order", turns(question, `m:`+signedA+`,`+callB, `u:`+answerB+`,`+answerA), all},
		{"answers of one function, without ids to calls with ids", turns(question, `m:{"functionCall":{"name":"a","id":"1"},"thoughtSignature":"c2ln"},`+callA2, `u:`+answerA+`,`+answerA), all},
		{"answers with ids of the caller's own", turns(question, `m:`+callA, `u:{"functionResponse":{"name":"a","id":"mine"}}`), before3},
		{"an answer under another name, with its id", turns(question, `m:`+callA1, `u:{"functionResponse":{"name":"call_1","id":"1"}}`), before3},
		{"text with answers", turns(question, `m:`+signedA, `u:{"text":"Here:"},`+answerA+`,{"text":"Done."}`), all},
		{"a call at the end", turns(question, `m:`+signedA), allTargets("gemini-2.5-flash", "gemini-3.5-flash")},
		{"a call of a name that cannot be declared", turns(question, `m:{"functionCall":{"name":"print(x)"},"thoughtSignature":"c2ln"}`, `u:{"functionResponse":{"name":"print(x)"}}`), all},

		{"a file of the Files API in an answer", turns(question, `m:`+signedA, `u:{"functionResponse":{"name":"a","parts":[{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/f1","mimeType":"image/png"}}]}}`), since3},
		{"media of any type in an answer", turns(question, `m:`+signedA, `u:{"functionResponse":{"name":"a","parts":[{"inlineData":{"mimeType":"image/gif","data":"R0lG"}},{"inlineData":{"mimeType":"audio/wav","data":"UklG"}}]}}`), since3},

		{"settings of a video alone", turns(`u:{"text":"Look."},{"videoMetadata":{"startOffset":"1s"}}`), all},
		{"a resolution alone, and a thought alone", turns(`u:{"text":"Look."},{"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}}`, `m:{"thought":true},{"text":"Fine."}`, question), all},
		{"an empty text alone", turns(`u:{"text":""}`), all},
		{"roles of older programs", `{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[` + signedA + `]},{"role":"function","parts":[` + answerA + `]},{"role":"model","parts":[` + signedB + `]},{"role":"tool","parts":[` + answerB + `]}]}`, all},
		{"an image for the system", ask(`"systemInstruction":{"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}}]}`), all},
		{"nothing for the system", ask(`"systemInstruction":{"parts":[]}`), all},

		{"a search with a calling mode", ask(`"tools":[{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`), all},
		{"a search, any call, and no name", ask(`"tools":[{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":[]}}`), all},
		{"code with a calling mode", ask(`"tools":[{"codeExecution":{}},{"urlContext":{}}],"toolConfig":{"functionCallingConfig":{}}`), all},
		{"functions with the use of a computer", ask(`"tools":[{"functionDeclarations":[{"name":"f"}]},{"computerUse":{"environment":"ENVIRONMENT_BROWSER"}}]`), all},
		{"functions that are not to be called, with all else", ask(`"tools":[{"functionDeclarations":[{"name":"f"}]},{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},"generationConfig":{"responseMimeType":"application/json"}`), all},
		{"functions with text", ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"generationConfig":{"responseMimeType":"text/plain"}`), all},
		{"JSON from functions", ask(`"tools":[{"functionDeclarations":[{"name":"f"}]}],"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{}}`), since3},

		{"penalties of 0", configured(`"presencePenalty":0,"frequencyPenalty":0`), all},
		{"log probabilities that are turned off", configured(`"responseLogprobs":false`), all},
		{"a MIME type with a format", configured(`"responseMimeType":"application/json","responseFormat":{"text":{"mimeType":"APPLICATION_JSON","schema":{}}}`), all},
		{"a budget beyond those of 2.5", configured(`"thinkingConfig":{"thinkingBudget":65536}`), since3},
		{"labels", ask(`"labels":{"team":"a"}`), all},
	} {
		for _, target := range tt.targets {
			if problems := problemsOf(t, tt.request, target...); problems != nil {
				t.Errorf("%s: %v", tt.name, problems)
			}
		}
	}
}

// The content of an answer is sent back unchanged, even if no description lists it. The same from a
// user is a mistake.
func TestTheModelsOwnContentIsAcceptedBack(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		`{"text":"Hi","newMember":1}`,
		`{"hologram":{"data":"AAAA"}}`,
		`{"executableCode":{"language":"COBOL","code":"STOP RUN."}}`,
		`{"inlineData":{"mimeType":"image/png","data":"iVBO","depth":3}}`,
		`{"toolCall":{"toolType":"TIME_MACHINE","args":{}}}`,
		`{"codeExecutionResult":{"outcome":"OUTCOME_UNDECIDED","trace":[1]}}`,
	} {
		if problems := problemsOf(t, turns(question, `m:`+part, question)); problems != nil {
			t.Errorf("%s of the model: %v", part, problems)
		}
		if problems := problemsOf(t, turns(`u:`+part)); len(problems) == 0 {
			t.Errorf("%s of the user is valid", part)
		}
	}
	if problems := problemsOf(t,
		`{"contents":[{"parts":[{"text":"Hi"}]},{"role":"model","parts":[{"text":"Hi"}],"mood":"good"},{"parts":[{"text":"Hi"}]}]}`); problems != nil {
		t.Errorf("a turn of the model: %v", problems)
	}
}
