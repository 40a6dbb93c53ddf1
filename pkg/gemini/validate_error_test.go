package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
)

func TestTextOfAValidationError(t *testing.T) {
	t.Parallel()
	first := validation.Violation{Pointer: "/contents/2/parts/0", Value: `"get_weather"`,
		Want: `functionResponse "get_weather" answers no earlier call; expected one of "get_time"`}
	second := validation.Violation{Pointer: "/store", Want: "wrong"}
	tests := []struct {
		problems []validation.Violation
		want     string
	}{
		{[]validation.Violation{first}, `gemini: /contents/2/parts/0: functionResponse "get_weather" answers no earlier call; expected one of "get_time"`},
		{[]validation.Violation{second, {Pointer: "/contents/2/parts/0", Want: "x"}}, "gemini: /store: wrong; /contents/2/parts/0: x"},
		{[]validation.Violation{{Pointer: strings.Repeat("/items", 100), Want: "wrong"}}, "gemini: " + strings.Repeat("/items", 100)[:100] + "..." + strings.Repeat("/items", 100)[500:] + ": wrong"},
	}
	for _, tt := range tests {
		if got := (&validation.Error{Prefix: "gemini",
			Violations: tt.problems}).Error(); got != tt.want {
			t.Errorf("the text is %s, want %s", got, tt.want)
		}
	}
}

func TestAValidationErrorCanBeTakenApart(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("before sending: %w",
		gemini.ValidateRequest(&geminiapi.GenerateContentRequest{}))
	invalid, ok := errors.AsType[*validation.Error](err)
	if !ok || len(invalid.Violations) != 1 {
		t.Fatalf("the error is %#v", err)
	}
	problem, ok := errors.AsType[validation.Violation](err)
	if !ok || problem != invalid.Violations[0] ||
		problem.Error() != "/contents: no content; a request needs at least one turn" {
		t.Errorf("the problem is %#v", problem)
	}
	text, err := json.Marshal(problem)
	const want = `{"pointer":"/contents","rule":"required","want":"no content; a request needs at least one turn"}`
	if err != nil || string(text) != want {
		t.Errorf("as JSON the problem is %s, %v", text, err)
	}
}

// No problem repeats text that could be secret or long.
func TestAValidationErrorHoldsNoPayload(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("s3cr3t", 40)
	media := `{"mimeType":"x","data":"data:` + secret + `","` + `unknown":"` + secret + `"}`
	documents := []string{
		turns(`u:{"text":"` + secret + `","inlineData":` + media + `,"thoughtSignature":"` +
			secret + `","apiKey":"` + secret + `","more":{"` + `k":"` + secret + `"},"list":["` +
			secret + `"]}`),
		turns(question, `m:{"functionCall":{"name":"a b","args":"`+secret+`"}}`,
			`u:{"functionResponse":{"name":"a b","response":"`+secret+`","parts":[{"inlineData":`+
				media+`}]}}`),
		ask(`"tools":[{"mcpServers":[{"streamableHttpTransport":{"headers":{"authorization":"` +
			secret + `"},"timeout":"soon","x":"` + secret + `"}}]}]`),
		ask(`"tools":[{"functionDeclarations":[{"name":"f","description":"` + secret +
			`","parametersJsonSchema":"` + secret + `"}]}]`),
		ask(`"systemInstruction":{"parts":[{"text":"` + secret +
			`","thought":true,"inlineData":{}}]}`),
	}
	for _, document := range documents {
		problems := problemsOf(t, document, gemini.ForModel("gemini-2.5-flash"),
			gemini.ForVertexAI())
		if len(problems) == 0 {
			t.Errorf("%s is valid", document)
		}
		if text := fmt.Sprintf("%#v", problems); strings.Contains(text, "s3cr3t") {
			t.Errorf("%s: %s", document, text)
		}
	}
}

func TestAProblemCutsLongNames(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("ä", 5000)
	document := `{"contents":[{"role":"` + name +
		`","parts":[{"text":"Hi"}]}],"tools":[{"functionDeclarations":[{"name":"` + name +
		`"}]}],` +
		`"cachedContent":"` + name + `","serviceTier":"` + name +
		`","generationConfig":{"responseMimeType":"` + name +
		`","thinkingConfig":{"thinkingLevel":"LOW"}}}`
	problems := problemsOf(t, document, gemini.ForModel("gemini-2.5-"+name))
	if len(problems) < 5 {
		t.Errorf("only %d problems", len(problems))
	}
	for _, problem := range problems {
		if len(problem.Value) > 100 || len(problem.Want) > 300 {
			t.Errorf("a long problem: %#v", problem)
		}
		if problem.Value != "" && !json.Valid([]byte(problem.Value)) {
			t.Errorf("the value is no JSON: %s", problem.Value)
		}
	}
}

// A hostile request gets at most 1,000 problems, and the check of a schema that contains itself
// ends.
func TestAValidationComesToAnEnd(t *testing.T) {
	t.Parallel()
	if got := len(problemsOf(t, `{"contents":[`+strings.Repeat("{},", 5000)+`{}]}`)); got != 1000 {
		t.Errorf("%d problems", got)
	}
	array := geminiapi.SchemaTypeArray
	circle := &geminiapi.Schema{Type: &array}
	circle.Items = circle
	request, err := gemini.DecodeRequest([]byte(turns(question)))
	if err != nil {
		t.Fatal(err)
	}
	mime := "application/json"
	request.GenerationConfig = &geminiapi.GenerationConfig{ResponseMIMEType: &mime,
		ResponseSchema: circle}
	invalid, ok := errors.AsType[*validation.Error](gemini.ValidateRequest(request))
	if !ok || len(invalid.Violations) != 1 || invalid.Violations[0].Want != "nested too deeply" {
		t.Errorf("the error is %.300v", invalid)
	}
}

// Answers are paired with up to 1,000 calls of a turn; more are accepted unchecked.
func TestManyParallelCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ count, problems int }{{1000, 1}, {1001, 0}, {3000, 0}} {
		var calls, answers []string
		for i := range tt.count {
			calls = append(calls, `{"functionCall":{"name":"f","id":"`+strconv.Itoa(i)+`"}}`)
			answers = append(answers,
				`{"functionResponse":{"name":"f","id":"`+strconv.Itoa(i)+`"}}`)
		}
		if problems := problemsOf(t,
			turns(question, "m:"+strings.Join(calls, ","),
				"u:"+strings.Join(answers, ","))); problems != nil {
			t.Errorf("%d calls: the problems are %v", tt.count, problems)
		}
		last := len(answers) - 1
		if got := len(problemsOf(t,
			turns(question, "m:"+strings.Join(calls, ","),
				"u:"+strings.Join(answers[:last], ",")))); got != tt.problems {
			t.Errorf("%d calls, the last without an answer: %d problems", tt.count, got)
		}
	}
}

// A long list of calls does not make a long message.
func TestAMessageListsFewCalls(t *testing.T) {
	t.Parallel()
	calls := strings.Repeat(callA+",", 20) + callA
	problems := problemsOf(t, turns(question, "m:"+calls, "u:"+answerB))
	const want = `functionResponse "b" answers no earlier call; expected one of "a", "a", "a", "a", "a", "a", "a", "a", ...`
	if len(problems) != 22 || problems[0].Want != want {
		t.Errorf("%d problems, the first is %v", len(problems), problems[0])
	}
}
