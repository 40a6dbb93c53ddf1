package jsonx_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
)

func TestAParamIsWrittenAsOpenAINamesMembers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "",
		"/model":                        "model",
		"/messages/0/role":              "messages[0].role",
		"/messages/12/content/3/text":   "messages[12].content[3].text",
		"/tools/1/function/parameters/": "tools[1].function.parameters.",
		"/a~1b/m~0n":                    "a/b.m~n",
		"/0":                            "[0]",
		"/logit_bias/50256":             "logit_bias[50256]",
	} {
		if got := jsonx.ParamOf(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
