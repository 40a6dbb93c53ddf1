package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// unusualSchemas are schemas of tools that other servers refuse or change. Moonshot's validator of
// tool schemas (github.com/MoonshotAI/walle) has a case for each: it complains about references
// outside of $defs, references with other members, names of keywords as names of properties,
// several types, and lists of values of several types.
var unusualSchemas = map[string]string{
	"a reference to another property": `{"type":"object","properties":{"from":{"type":"string","minLength":1},` +
		`"to":{"$ref":"#/properties/from","description":"The other end"}}}`,
	"a reference to elements": `{"type":"object","properties":{"towns":{"type":"array","items":{"type":"string"}},` +
		`"home":{"$ref":"#/properties/towns/items"}}}`,
	"a reference into a definition": `{"$defs":{"town":{"type":["object"],"properties":{"zip":{"type":["number"]}}}},` +
		`"type":"object","properties":{"zip":{"$ref":"#/$defs/town/properties/zip"}}}`,
	"a tree": `{"type":"object","properties":{"name":{"type":"string"},` +
		`"children":{"type":"array","items":{"$ref":"#"}}},"required":["name","children"],"additionalProperties":false}`,
	"two definitions that need each other": `{"$defs":{"road":{"type":"object","properties":{"end":{"$ref":"#/$defs/town"}}},` +
		`"town":{"type":"object","properties":{"exit":{"$ref":"#/$defs/road"}}}},"type":"object","properties":{"start":{"$ref":"#/$defs/town"}}}`,
	"names of keywords": `{"type":"object","properties":{"type":{"type":"string"},"enum":{"type":"string"},` +
		`"items":{"type":"string"},"$ref":{"type":"string"},"anyOf":{"type":"string"},"required":{"type":"boolean"},` +
		`"properties":{"type":"object","properties":{"type":{"type":"string"}}},"additionalProperties":{"type":"string"}},` +
		`"required":["type","$ref"]}`,
	"names with dots and slashes": `{"type":"object","properties":{"a.b":{"type":"string"},"c/d":{"anyOf":[{"type":"string"},` +
		`{"type":"object","properties":{"e/f":{"type":"string"}}}]}}}`,
	"every type": `{"type":"object","properties":{"value":{"type":["string","null","integer","boolean","array","object","number"]}}}`,
	"values of several types": `{"type":"object","properties":{"unit":{"type":["string","null"],"enum":["km",null]},` +
		`"level":{"enum":["all",1,true,null]},"blank":{"type":"string","enum":[""," ","\n","back\\slash"]}}}`,
	"a property that must be there and is not declared": `{"type":"object","properties":{"place":{"type":"object","required":["town"]}},` +
		`"required":["place"]}`,
}

func TestToolSchemasOfAnyShapeReachGeminiUnchanged(t *testing.T) {
	t.Parallel()
	for name, schema := range unusualSchemas {
		for form, request := range map[string][2]string{
			"chat_completions": {chatPath, `"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function",` +
				`"function":{"name":"f","strict":true,"parameters":` + schema + `}}]`},
			"responses": {responsesPath, `"input":"hi","tools":[{"type":"function","name":"f","parameters":` + schema + `}]`},
			"messages": {messagesPath, `"max_tokens":99,"messages":[{"role":"user","content":"hi"}],` +
				`"tools":[{"name":"f","input_schema":` + schema + `}]`},
		} {
			server := geminitest.NewServer(t)
			answer := post(gatewayOf(t, server), request[0], `{"model":"gemini-3.6-flash",`+request[1]+`}`)
			if answer.Code != http.StatusOK || answer.Header().Get("X-Gemwire-Losses") != "0" {
				t.Fatalf("%s, %s: HTTP %d, %s losses: %s", name, form, answer.Code,
					answer.Header().Get("X-Gemwire-Losses"), answer.Body)
			}
			sent := server.Requests()[0].Body
			if !strings.Contains(string(sent), `"parametersJsonSchema":`+schema) {
				t.Errorf("%s, %s: sent %s", name, form, sent)
			}
			asked, err := gemini.DecodeRequest(sent)
			if err == nil {
				err = gemini.ValidateRequest(asked)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, form, err)
			}
		}
	}
}

// Kimi's models number their calls as in functions.get_weather:0, over the whole conversation. Its
// verifier of vendors (github.com/MoonshotAI/K2-Vendor-Verifier) sends such conversations, and
// complains about servers that end with tool_calls without a call, or the reverse.
func TestAConversationWithTheCallIDsOfKimiContinues(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().
		Reply(geminitest.Call("get_weather", `{"place":"Faro"}`))))
	turn := func(id, place string) string {
		return `{"role":"assistant","content":"","tool_calls":[{"id":"` + id + `","type":"function","function":{` +
			`"name":"get_weather","arguments":"{\"place\":\"` + place + `\"}"}}]},` +
			`{"role":"tool","tool_call_id":"` + id + `","content":"sunny in ` + place + `"},`
	}
	answer := post(gatewayOf(t, server), chatPath, `{"model":"gemini-3.6-flash","messages":[`+
		`{"role":"user","content":"The weather?"},`+turn("functions.get_weather:0", "Porto")+
		turn("functions.get_weather:1", "Braga")+`{"role":"user","content":"And Faro?"}],`+
		`"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object",`+
		`"properties":{"place":{"type":"string"}}}}}]}`)
	choice := completionOf(t, answer).Choices[0]
	if string(choice.FinishReason) != "tool_calls" || len(choice.Message.ToolCalls) != 1 {
		t.Errorf("answered %s", answer.Body)
	}
	wantInOrder(t, lastPrompt(t, server), "Porto", "sunny in Porto", "Braga", "sunny in Braga", "And Faro?")
}
