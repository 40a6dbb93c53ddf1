package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

func TestUnknownMembersAreThoseThatAreLostAtTheTop(t *testing.T) {
	t.Parallel()
	const members = `"repetition_penalty":1.1,"mesages":[],"a/b":{},"nothing":null,"usage":{"include":true},"google":{"labels":{}},` +
		`"safetySettings":[],"top_k":3,"thinking_config":{}`
	const messages = `"messages":[{"role":"user","content":"x"}]`
	in, err := openai.DecodeRequest([]byte(`{` + members + `,` + messages + `}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"repetition_penalty", "mesages", "a/b"}
	if diff := cmp.Diff(want, request.UnknownMembers(in)); diff != "" {
		t.Error(diff)
	}
	_, report, err := request.ToGemini(in)
	if err != nil {
		t.Fatal(err)
	}
	var lost []string
	for _, entry := range report.Of("lost") {
		name := strings.ReplaceAll(strings.TrimPrefix(entry.Pointer, "/"), "~1", "/")
		lost = append(lost, name)
	}
	if diff := cmp.Diff(want, lost); diff != "" {
		t.Error(diff)
	}
	if in, _ = openai.DecodeRequest([]byte(`{"google":5,` + messages +
		`}`)); !cmp.Equal(request.UnknownMembers(in), []string{"google"}) {
		t.Error("google is no object, and passes for one")
	}
}
