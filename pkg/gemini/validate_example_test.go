package gemini_test

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Get all problems of a request at once, before it costs a call.
func ExampleValidateRequest() {
	request, err := gemini.DecodeRequest([]byte(`{
	  "contents": [
	    {"role": "user", "parts": [{"text": "What time is it in Bergen?"}]},
	    {"role": "model", "parts": [{"functionCall": {"name": "get_time"}}]},
	    {"role": "user", "parts": [{"functionResponse": {"name": "get_weather", "response": {"output": "rain"}}}]}
	  ],
	  "tools": [{"functionDeclarations": [{"name": "get_time", "parameters": {"type": "OBJECT", "additionalProperties": false}}]}],
	  "generationConfig": {"temperature": 3, "thinkingConfig": {"thinkingLevel": "MINIMAL"}}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	err = gemini.ValidateRequest(request, gemini.ForModel("gemini-3.8-flash"),
		gemini.ForGeminiAPI())
	if invalid, ok := errors.AsType[*validation.Error](err); ok {
		for _, problem := range invalid.Violations {
			fmt.Println(problem)
		}
	}
	// Output:
	// /contents/2/parts/0: functionResponse "get_weather" answers no earlier call; expected one of "get_time"
	// /contents/1/parts/0: functionCall "get_time" is not answered; /contents/2 must hold a functionResponse to it
	// /contents/1/parts/0/thoughtSignature: functionCall "get_time" has no thought signature; gemini-3.8-flash requires the signature that the first call of a step had
	// /tools/0/functionDeclarations/0/parameters/additionalProperties: only Vertex AI has this; the Gemini API refuses it
	// /generationConfig/temperature: 3 is out of range; must be from 0 to 2
	// /generationConfig/thinkingConfig/thinkingLevel: gemini-3.8-flash does not accept thinkingLevel MINIMAL; must be one of LOW, MEDIUM, HIGH
}
