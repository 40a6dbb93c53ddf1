package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// A configuration_update applies until a later one, and takes precedence over the request's member.
func TestItemsChangeTheConfigurationOfARequest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		items, members, want string
		report               []string
	}{
		"effort": {`{"type":"configuration_update","reasoning":{"effort":"low"}}`, ``, `{"thinkingLevel":"LOW"}`, nil},
		"the last effort": {`{"type":"configuration_update","reasoning":{"effort":"low"}},` +
			hello + `,{"type":"configuration_update","id":"cu_1","reasoning":{"effort":"high"}}`,
			``,
			`{"thinkingLevel":"HIGH"}`,
			[]string{"approximated /input/2/id", "approximated /input/0/reasoning/effort"}},
		"before that of the request": {`{"type":"configuration_update","reasoning":{"effort":"high"}}`,
			`,"reasoning":{"effort":"low","summary":"auto"}`,
			`{"thinkingLevel":"HIGH","includeThoughts":true}`,
			[]string{"approximated /reasoning/effort"}},
		"nothing": {`{"type":"configuration_update","reasoning":{"effort":null},"text":null}`, `,"reasoning":{"effort":"low"}`, `{"thinkingLevel":"LOW"}`, nil},
		"unknown members": {`{"type":"configuration_update","reasoning":{"effort":"low","mode":"pro"},"text":{"verbosity":"low","acme":1}}`,
			``, `{"thinkingLevel":"LOW"}`,
			[]string{"lost /input/0/reasoning/mode", "lost /input/0/text/acme",
				"lost /input/0/text/verbosity"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, report := convert(t,
				`{"model":"`+levelModel+`","input":[`+tc.items+`,`+hello+`]`+tc.members+`}`)
			openaitest.Subset(t, got, `{"generationConfig":{"thinkingConfig":`+tc.want+`}}`)
			openaitest.Reports(t, report, tc.report...)
		})
	}
}

func TestItemsChangeTheFormOfAnAnswer(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"configuration_update","text":{"format":{"type":"json_schema","name":"weather","schema":` +
		weatherSchema + `}}}`
	const text = `{"type":"configuration_update","text":{"format":{"type":"text"}}}`
	got, report := convert(t, input(levelModel, schema+`,`+hello))
	openaitest.Subset(t, got,
		`{"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":`+
			weatherSchema+`}}`)
	openaitest.Reports(t, report, "approximated /input/0/text/format/name")

	got, report = convert(t,
		`{"model":"`+levelModel+`","input":[`+schema+`,`+hello+`,`+text+`,`+hello+
			`],"text":{"format":{"type":"json_object"}}}`)
	openaitest.Subset(t, got, `{"generationConfig":{"responseMimeType":"text/plain"}}`)
	openaitest.Reports(t, report, "approximated /input/0/text/format", "approximated /text/format")

	got, report = convert(t,
		`{"model":"`+levelModel+`","input":[`+schema+
			`,{"type":"configuration_update","reasoning":{"effort":"low"}},`+hello+`],
		"extra_body":{"google":{"response_mime_type":"text/plain","thinking_config":{"thinking_level":"high"}}}}`)
	openaitest.Subset(t, got,
		`{"generationConfig":{"responseMimeType":"text/plain","thinkingConfig":{"thinkingLevel":"HIGH"}}}`)
	openaitest.Reports(t, report, "lost /input/0/text/format", "lost /input/1/reasoning/effort")
}

// A fault in such an item is reported with its pointer.
func TestFaultsOfAConfigurationAreInItsItem(t *testing.T) {
	t.Parallel()
	for item, pointer := range map[string]string{
		`{"type":"configuration_update","reasoning":"high"}`:                                           "/input/0/reasoning",
		`{"type":"configuration_update","text":"json"}`:                                                "/input/0/text",
		`{"type":"configuration_update","text":{"format":{"type":"xml"}}}`:                             "/input/0/text/format/type",
		`{"type":"configuration_update","text":{"format":{"type":"json_schema","schema":"a string"}}}`: "/input/0/text/format/schema",
	} {
		if refused := refusal(t, input(levelModel, item+`,`+hello),
			request.ForModel(levelModel)); refused.Pointer != pointer {
			t.Errorf("%s: %v", item, refused)
		}
	}
}

// Settings may change between a call and its result, and between a signature and its part.
func TestAConfigurationStandsAnywhere(t *testing.T) {
	t.Parallel()
	const update = `{"type":"configuration_update","reasoning":{"effort":"low"}}`
	got, _ := convert(t,
		input(pro3, hello+`,{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},`+
			update+`,{"type":"function_call_output","call_id":"a","output":"1"},`+update))
	openaitest.Subset(t, got,
		`{"contents":[{},{"parts":[{"functionCall":{"name":"f"}}]},{"parts":[{"functionResponse":{"name":"f"}}]}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}}`)
}
