package interactions_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
)

// lines returns violations in one line each, without positions.
func lines(found []validation.Violation) (out []string) {
	for _, v := range found {
		v.Position = validation.Position{}
		out = append(out, v.Severity.String()+" "+v.Error())
	}
	return out
}

func TestABadInteractionIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	const good = `{"id":"v1_a","status":"completed","usage":{"total_tokens":3,"total_input_tokens":1,"total_output_tokens":2},` +
		`"steps":[{"content":[{"text":"é","type":"text"}],"type":"model_output"}],"object":"interaction","model":"m"}`
	for name, test := range map[string]struct{ before, after, want string }{
		"nothing":                  {"", "", ""},
		"an unknown type of step":  {`"model_output"`, `"model_outptu"`, "warning /steps/0/type: is not a known value"},
		"an unknown status":        {`"completed"`, `"done"`, "warning /status: is not a known value"},
		"a misspelt member":        {`"text":"é"`, `"text":"é","anotations":[]`, `warning /steps/0/content/0/anotations: is not a known member of Content; did you mean "annotations"?`},
		"another letter case":      {`"id"`, `"ID"`, "error /ID: must be spelled id"},
		"a member twice":           {`"model":"m"`, `"model":"m","model":"n"`, "error /model: must stand once"},
		"a count that is a text":   {`"total_tokens":3`, `"total_tokens":"3"`, "error /usage/total_tokens: must be an integer"},
		"a count below 0":          {`"total_tokens":3,"total_input_tokens":1`, `"total_tokens":1,"total_input_tokens":-1`, "error /usage/total_input_tokens: must be at least 0"},
		"a wrong sum":              {`"total_tokens":3`, `"total_tokens":4`, "error /usage/total_tokens: must be 3, the sum of input"},
		"a citation in a letter":   {`"type":"text"`, `"annotations":[{"start_index":1,"end_index":2,"url":"u","type":"url_citation"}],"type":"text"`, "error /steps/0/content/0/annotations/0/start_index: must not be within a character"},
		"a citation after the end": {`"type":"text"`, `"annotations":[{"start_index":0,"end_index":3,"url":"u","type":"url_citation"}],"type":"text"`, "error /steps/0/content/0/annotations/0/end_index: must be at most 2, the number of bytes"},
		"no object":                {`"object":"interaction",`, ``, "warning /object: must be set; each recorded answer has it"},
		"neither model nor agent":  {`,"model":"m"`, ``, "warning /model: must be set, unless agent is set"},
		"an action without a call": {`"completed"`, `"requires_action"`, "warning /status: must not be requires_action"},
		"a member of an SDK":       {`"model":"m"`, `"model":"m","output_text":"é"`, "error /output_text: must be absent; Google's SDKs make it"},
		"the revision before":      {`"steps":[{"content":[{"text":"é","type":"text"}],"type":"model_output"}]`, `"outputs":[]`, "error /outputs: must be steps"},
		"an error":                 {good, `{"error":{"message":"m","code":"not_found"}}`, "error must be an interaction, not an error"},
		"no JSON":                  {good, `{"id"`, "error /id: the JSON ends too early"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := lines(interactions.CheckResponse([]byte(strings.Replace(good, test.before, test.after, 1))))
			if len(got) > 0 != (test.want != "") || test.want != "" && !strings.HasPrefix(got[0], test.want) {
				t.Errorf("got %q, want %s", got, test.want)
			}
		})
	}
}

func TestABadStreamIsRefusedWhereItIsWrong(t *testing.T) {
	t.Parallel()
	good := stream(step(0, output, hi, cite(0, 2)))
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"nothing":        {named("\n", good...) + done, nil},
		"the mark alone": {done, []string{"error /0: must be interaction.completed or an error, not the end of the stream"}},
		"an error":       {named("\n", created, failure), []string{"error /1: must be an event, not an error"}},
		"a cut stream":   {named("\n", good[:4]...), []string{"error /4: the stream is truncated: neither interaction.completed nor [DONE] nor an error"}},
		"no stop": {named("\n", append(append([]string{}, good[:5]...), completed)...) + done,
			[]string{"error /5: must not be within a step"}},
		"a long citation": {named("\n", stream(step(0, output, hi, cite(0, 3)))...),
			[]string{"error /5: must follow annotations within the text of the step, with offsets in bytes that are not within a character"}},
		"interleaved steps": {named("\n", stream([]string{begin(0, output), begin(1, output), end(0), end(1)})...),
			[]string{"warning /3: must not be within another step"}},
		"an unknown event": {named("\n", created, `{"event_type":"interaction.paused","more":1}`, completed),
			[]string{"warning /1/event_type: is not a known value; known are interaction.created, interaction.status_update, interaction.in_progress, interaction.requires_action, step.start, step.delta, step.stop, interaction.completed and 1 more",
				"warning /1/more: is not a known member of StreamEvent"}},
		"a wrong sum": {named("\n", created, strings.Replace(completed, `"total_tokens":10`, `"total_tokens":1`, 1)),
			[]string{"error /1/interaction/usage/total_tokens: must be 10, the sum of input, output, thought and tool_use tokens"}},
		"an event after the end": {named("\n", append(good, running)...),
			[]string{"error /7: it came after the end of the stream"}},
		"another interaction after the end": {named("\n", append(good, created)...), []string{"error /7: a second stream begins after the first"}},
	} {
		got := lines(interactions.CheckStream([]byte(tt.body)))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// A finding has its place in the body, and no text of the payload under an unknown name.
func TestFindingsHaveTheirPlaceAndNoSecrets(t *testing.T) {
	t.Parallel()
	const secret = "AIzaSecretSecretSecret"
	found := interactions.CheckResponse([]byte("{\"status\":\"completed\",\n \"object\":\"interaction\",\"model\":\"m\",\n" +
		" \"api_key\":\"" + secret + "\",\"output_text\":\"" + secret + "\"}"))
	if len(found) != 2 {
		t.Fatalf("found %v", found)
	}
	for _, v := range found {
		if v.Position.Line != 3 || strings.Contains(v.Error()+v.Value, secret) {
			t.Errorf("found %v", v)
		}
	}
}
