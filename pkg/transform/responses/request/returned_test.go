package request_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// clients are ways in which clients send the items of an answer back.
var clients = map[string]func(openaiapi.ResponseItem) openaiapi.ResponseItem{
	"openai-agents": func(item openaiapi.ResponseItem) openaiapi.ResponseItem { return item },
	"codex": func(item openaiapi.ResponseItem) openaiapi.ResponseItem {
		item.ID, item.Status, item.Unknown = "", "", nil
		return withPlainTexts(item)
	},
	"the AI SDK": func(item openaiapi.ResponseItem) openaiapi.ResponseItem {
		if item.Type == openaiapi.ResponseItemTypeMessage {
			item.Type = ""
		}
		item.Status, item.Unknown = "", nil
		return withPlainTexts(item)
	},
}

// withPlainTexts returns an item whose texts have only their text.
func withPlainTexts(item openaiapi.ResponseItem) openaiapi.ResponseItem {
	list, isList := item.Content.AsValue()
	if !isList {
		return item
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Annotations, list[i].Logprobs, list[i].Unknown = nil, nil, nil
	}
	item.Content = wiretype.ValueOf(list)
	return item
}

// Every answer of Gemini is restored from any client: each signature on its part, and all texts,
// thoughts, calls and code in order.
func TestRecordedAnswersComeBackToGemini(t *testing.T) {
	t.Parallel()
	returned, signatures := 0, 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(p.Read(t))
		if err != nil {
			continue
		}
		ways, signed := checkReturned(t, p.Name, in)
		returned += ways
		signatures += signed
	}
	if t.Logf("%d answers with %d signatures", returned,
		signatures); returned < corpustest.AtLeast(1500) || signatures < corpustest.AtLeast(150) {
		t.Errorf("only %d answers with %d signatures", returned, signatures)
	}
}

// The answers of package transform/chat's golden files are restored too.
func TestAnswersComeBackToGemini(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("../../chat/testdata/*.gemini.json")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, input := range inputs {
		data, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		in, err := gemini.DecodeResponse(data)
		if err != nil {
			t.Fatal(err)
		}
		checkReturned(t, filepath.Base(input), in)
	}
}

// checkReturned sends an answer back as each client does. It returns the number of clients that
// did, and the number of signatures.
func checkReturned(t *testing.T, name string, in *geminiapi.GenerateContentResponse) (ways,
	signatures int) {
	t.Helper()
	answer, _, err := toresponses.FromGemini(in)
	if err != nil || len(answer.Output) == 0 {
		return 0, 0
	}
	original := gemini.FirstCandidate(in).Content
	want := summaries(original.Parts)
	for client, send := range clients {
		got, ok := modelParts(t, name+" by "+client, answer.Output, send)
		if !ok {
			continue
		}
		ways++
		if diff := cmp.Diff(want, summaries(got)); diff != "" {
			t.Errorf("%s by %s: %s", name, client, diff)
		}
	}
	for i := range original.Parts {
		if original.Parts[i].ThoughtSignature != nil {
			signatures++
		}
	}
	return ways, signatures
}

// modelParts returns the model's turn after a client has sent an answer back.
func modelParts(t *testing.T, name string, output []openaiapi.ResponseItem,
	send func(openaiapi.ResponseItem) openaiapi.ResponseItem) ([]geminiapi.Part, bool) {
	t.Helper()
	items := []openaiapi.ResponseItem{userSays("Hello.")}
	for i := range output {
		items = append(items, send(output[i]))
	}
	for i := range output {
		items = append(items, resultsOf(&output[i], output)...)
	}
	data, err := responses.EncodeRequest(
		&openaiapi.CreateResponseRequest{Input: wiretype.ValueOf(append(items,
			userSays("Go on.")))})
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := request.ToGemini(decode(t, string(data)), request.ForModel(pro3),
		request.WithoutValidation())
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil, false
	}
	for i := range out.Contents {
		if jsonx.Deref(out.Contents[i].Role) == "model" {
			return out.Contents[i].Parts, true
		}
	}
	return nil, true
}

// summaries returns what must be restored of each part. Consecutive texts are joined, unless one is
// signed. Values that an answer keeps next to its items are omitted: sounds, drafts and files,
// which are large or have no item.
func summaries(parts []geminiapi.Part) []string {
	var out []string
	joins := false
	for i := range parts {
		p := &parts[i]
		signature := strings.TrimPrefix(jsonx.Deref(p.ThoughtSignature),
			"skip_thought_signature_validator")
		kind, content := "", ""
		switch {
		case p.FunctionCall != nil:
			kind, content = "call",
				jsonx.Deref(p.FunctionCall.Name)+" "+string(compact(p.FunctionCall.Args))
		case p.ExecutableCode != nil:
			kind, content = "code", jsonx.Deref(p.ExecutableCode.Code)
		case p.CodeExecutionResult != nil:
			kind, content = "result", jsonx.Deref(p.CodeExecutionResult.Output)
		case p.InlineData != nil &&
			strings.HasPrefix(jsonx.Deref(p.InlineData.MIMEType), "image/") &&
			!jsonx.Deref(p.Thought):
			kind, content = "image", jsonx.Deref(p.InlineData.Data)
		case p.ToolCall != nil, p.ToolResponse != nil:
			kind = "tool"
		case p.Text != nil && jsonx.Deref(p.Thought):
			kind, content = "thought", *p.Text
		case p.Text != nil:
			kind, content = "text", *p.Text
		}
		if kind == "" || (kind == "text" || kind == "thought") && content == "" && signature == "" {
			continue
		}
		if kind == "text" && signature == "" && joins {
			out[len(out)-1] += content
			continue
		}
		joins = kind == "text" && signature == ""
		out = append(out, kind+" "+signature+" "+content)
	}
	return out
}

// compact returns arguments without white space, or an empty object for none.
func compact(args []byte) []byte {
	args = bytes.TrimSpace(args)
	if len(args) == 0 {
		return []byte("{}")
	}
	value := jsontext.Value(bytes.Clone(args))
	_ = value.Compact()
	return value
}
