package request_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

func TestCallsOfMCPServersAndTheirResultsBecomeTexts(t *testing.T) {
	t.Parallel()
	const call = `"Call of the tool \"f\" of the MCP server \"s\" with the input:\n{\"a\":1}"`
	for name, test := range map[string]struct {
		members string   // of the call, besides its tool
		texts   []string // as JSON
		lost    []string
	}{
		"a result":            {`,"output":"done"`, []string{call, `"Result of the tool \"f\" of the MCP server \"s\":\ndone"`}, nil},
		"an empty result":     {`,"output":""`, []string{call, `"Result of the tool \"f\" of the MCP server \"s\":\n"`}, nil},
		"no result":           {`,"output":null,"error":null,"approval_request_id":null`, []string{call}, nil},
		"an error":            {`,"output":null,"error":"no route"`, []string{call, `"Error of the tool \"f\" of the MCP server \"s\":\nno route"`}, nil},
		"an error with words": {`,"error":{"type":"http_error","code":404,"message":"not there"}`, []string{call, `"Error of the tool \"f\" of the MCP server \"s\":\nnot there"`}, nil},
		"the answer of a tool": {`,"error":{"type":"mcp_tool_execution_error","content":[{"text":"bad"}]}`,
			[]string{call,
				`"Error of the tool \"f\" of the MCP server \"s\":\n{\"type\":\"mcp_tool_execution_error\",\"content\":[{\"text\":\"bad\"}]}"`},
			nil},
		"an approval": {`,"output":"done","approval_request_id":"a"`, []string{call, `"Result of the tool \"f\" of the MCP server \"s\":\ndone"`}, []string{"lost /input/1/approval_request_id"}},
	} {
		item := `{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"f","arguments":"{\"a\":1}"` +
			test.members + `}`
		got, report := convert(t,
			input(budgetModel, hello+`,`+item+`,{"role":"assistant","content":"Sunny."},`+hello))
		openaitest.Subset(t, got,
			`{"contents":[`+helloOut+`,{"role":"model","parts":[{"text":`+
				strings.Join(test.texts, `},{"text":`)+`},{"text":"Sunny."}]},`+helloOut+`]}`)
		openaitest.Reports(t, report,
			slices.Concat([]string{"approximated /input/1/id"}, test.lost,
				[]string{"approximated /input/1/type"})...)
		if t.Failed() {
			t.Fatalf("%s: %s", name, got)
		}
	}
}

// MCP calls, which Gemini did not make, take no signature from the items around them.
func TestSignaturesStayWithTheirPartsAroundCallsOfMCPServers(t *testing.T) {
	t.Parallel()
	const mcp, say = `{"type":"mcp_call","server_label":"s","name":"f","arguments":"","output":null}`,
		`{"role":"assistant","content":"Sunny."}`
	for name, items := range map[string]string{
		"a text after the call": mcp + `,` +
			token(envelope.Entry{Kind: envelope.Text, Ordinal: 0, Signature: "c2ln"}) + `,` + say,
		"a call before the text": token(envelope.Entry{Kind: envelope.Text, Ordinal: 0,
			Signature: "c2ln"}) + `,` + mcp + `,` + say,
	} {
		got, _ := convert(t, input(pro3, hello+`,`+items+`,`+hello))
		if want := `{"text":"Sunny.","thoughtSignature":"c2ln"}`; !strings.Contains(got, want) ||
			strings.Count(got, "thoughtSignature") != 1 {
			t.Errorf("%s: %s", name, got)
		}
	}
}
