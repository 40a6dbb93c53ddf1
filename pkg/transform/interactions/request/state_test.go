package request_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
	"github.com/go-json-experiment/json"
)

// stepsOf decodes steps.
func stepsOf(t *testing.T, list ...string) []interactionsapi.Step {
	t.Helper()
	steps := make([]interactionsapi.Step, len(list))
	for i := range list {
		if err := json.Unmarshal([]byte(list[i]), &steps[i]); err != nil {
			t.Fatal(err)
		}
	}
	return steps
}

func TestWhatNeedsAStoreIsAnError(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"another interaction": on(flash36, hi+`,"previous_interaction_id":"v1_a"`),
		"background":          on(flash36, hi+`,"background":true`),
	} {
		_, _, err := request.ToGemini(mustDecode(t, document))
		if fault, ok := errors.AsType[*request.Error](err); !ok || !fault.NeedsStore {
			t.Errorf("%s: got %v", name, err)
		}
	}
	_, _, err := request.ToGemini(mustDecode(t,
		on(flash36, hi+`,"previous_interaction_id":"v1_a"`)))
	if fault, ok := errors.AsType[*request.Error](err); !ok ||
		fault.ErrorCode() != interactions.CodeNotFound {
		t.Errorf("got %v", err)
	}
}

func TestAHistoryComesBeforeTheInput(t *testing.T) {
	t.Parallel()
	const id = `"previous_interaction_id":"v1_a",`
	history := func(steps ...string) []request.Option {
		return []request.Option{request.WithHistory(stepsOf(t, steps...))}
	}
	const replaced = "approximated /previous_interaction_id"
	check(t, []row{
		{name: "a text follows", request: on(flash36, id+hi), opts: history(asked, said),
			want: map[string]string{"/contents": `[` + askedTo +
				`,{"parts":[{"text":"So 3."}],"role":"model"},{"parts":[{"text":"Hi."}],"role":"user"}]`},
			report: replaced},
		{name: "a result follows", request: on(flash36, id+`"input":[`+returned+`]`),
			opts: history(asked, thought, called),
			want: map[string]string{
				"/contents/2/parts/0/functionResponse/response": `{"output":"3"}`},
			report: replaced},
		{name: "a result is missing", request: on(flash36, id+hi),
			opts:    history(asked, thought, called),
			problem: "/previous_interaction_id a result for \"c1\" is missing"},
		{name: "a step of it is lost", request: on(flash36, id+hi),
			opts:   history(asked, `{"type":"tool_call","id":"r"}`, said),
			report: replaced + "\nlost /previous_interaction_id"},
		{name: "it is not requested", request: on(flash36, hi), opts: history(asked, said),
			want: map[string]string{"/contents": `[{"parts":[{"text":"Hi."}],"role":"user"}]`}},
		{name: "its id is empty", request: on(flash36, hi+`,"previous_interaction_id":""`),
			want:   map[string]string{"/contents": `[{"parts":[{"text":"Hi."}],"role":"user"}]`},
			report: replaced},
		{name: "it is empty", request: on(flash36, id+hi), opts: history(),
			want:   map[string]string{"/contents": `[{"parts":[{"text":"Hi."}],"role":"user"}]`},
			report: replaced},
		{name: "its answer is continued",
			request: on(flash36, id+`"continuation_token":"t"`), opts: history(asked, said),
			want:   map[string]string{"/contents": `[` + askedTo + `]`, "/continuationToken": `"t"`},
			report: replaced + "\n" + replaced},
		{name: "nothing follows", request: on(flash25, id+`"store":false`),
			opts: history(asked, said),
			want: map[string]string{"/contents/1/parts": `[{"text":"So 3."}]`}, report: replaced},
	})
}

func TestMembersOfTheServerAreErrorsOrReported(t *testing.T) {
	t.Parallel()
	stored := []request.Option{request.WithStore()}
	check(t, []row{
		{name: "an agent", request: `{"agent":"deep-research-preview-04-2026","input":"Hi."}`,
			problem: "/agent agents exist only in the Interactions API"},
		{name: "neither a model nor an agent", request: `{"input":"Hi."}`,
			problem: "/model must be set"},
		{name: "the model of an option", request: `{"input":"Hi."}`,
			opts: []request.Option{request.ForModel(flash36)},
			want: map[string]string{"/model": `"models/` + flash36 + `"`}},
		{name: "another model of an option", request: on(flash25, hi),
			opts:   []request.Option{request.ForModel(flash36)},
			want:   map[string]string{"/model": `"models/` + flash36 + `"`},
			report: "approximated /model"},
		{name: "settings of an agent", request: on(flash36, hi+`,"agent_config":{"type":"dynamic"}`),
			report: "lost /agent_config"},
		{name: "an environment", request: on(flash36, hi+`,"environment":"remote"`),
			report: "lost /environment"},
		{name: "webhooks", request: on(flash36, hi+`,"webhook_config":{"uris":["https://a.example"]}`),
			report: "lost /webhook_config"},
		{name: "a stream", request: on(flash36, hi+`,"stream":true`), report: "approximated /stream"},
		{name: "no stream", request: on(flash36, hi+`,"stream":false,"store":false,"background":false`)},
		{name: "a store", request: on(flash36, hi+`,"store":true`), report: "lost /store"},
		{name: "a store of the caller", request: on(flash36, hi+`,"store":true`), opts: stored,
			report: "approximated /store"},
		{name: "background without a store", request: on(flash36, hi+`,"background":true,"store":false`),
			opts: stored, problem: "/store must be true"},
		{name: "background at the caller", request: on(flash36, hi+`,"background":true`),
			opts: stored, report: "approximated /background"},
		{name: "unknown members", request: on(flash36, hi+`,"later":{"a":1}`), report: "lost /later"},
		{name: "a tier", request: on(flash36, hi+`,"service_tier":"flex"`),
			want: map[string]string{"/serviceTier": `"flex"`}},
		{name: "the standard tier", request: on(flash36, hi+`,"service_tier":"standard"`),
			want: map[string]string{"/serviceTier": `"standard"`}},
		{name: "the deferred tier", request: on(flash36, hi+`,"service_tier":"deferred"`),
			report: "lost /service_tier"},
		{name: "labels", request: on(flash36, hi+`,"labels":{"team":"a"}`), report: "lost /labels"},
		{name: "labels on Vertex AI", request: on(flash36, hi+`,"labels":{"team":"a"}`),
			opts: []request.Option{request.ForVertexAI()},
			want: map[string]string{"/labels": `{"team":"a"}`}, report: "approximated /model"},
		{name: "an explicit cache", request: on(flash25, hi+`,"cached_content":"cachedContents/a"`),
			want: map[string]string{"/cachedContent": `"cachedContents/a"`}},
		{name: "an explicit cache with an instruction", request: on(flash25, hi+
			`,"cached_content":"cachedContents/a","system_instruction":"Be kind."`),
			problem: "/cached_content must not be combined with an instruction"},
		{name: "an instruction", request: on(flash36, hi+`,"system_instruction":"Be kind."`),
			want: map[string]string{"/systemInstruction": `{"parts":[{"text":"Be kind."}]}`}},
		{name: "an empty instruction", request: on(flash36, hi+`,"system_instruction":""`),
			want: map[string]string{"/systemInstruction": ``}, report: "approximated /system_instruction"},
	})
}
