package aisdk_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestAStreamThatFailsEndsInWhatItsFormatWants(t *testing.T) {
	t.Parallel()
	const end = `{"type":"error","error":"lost"}` + "\n" +
		`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}` +
		"\n"
	start := []aisdkapi.Part{aisdkapi.StreamStart{}}
	tests := []struct {
		name  string
		parts []aisdkapi.Part
		want  string // after the parts
	}{
		{"before the first part", nil, `{"type":"stream-start","warnings":[]}` + "\n" + end},
		{"after the start", start, end},
		{"within a text", append(start, aisdkapi.TextStart{ID: "0"}, aisdkapi.TextDelta{ID: "0", Delta: "a"}), `{"type":"text-end","id":"0"}` + "\n" + end},
		{"within a text of a stream that has no start", []aisdkapi.Part{aisdkapi.TextStart{ID: "0"}}, `{"type":"text-end","id":"0"}` + "\n" + end},
		{"after a text", append(start, aisdkapi.TextStart{ID: "0"}, aisdkapi.TextEnd{ID: "0"}), end},
		{"within a call, after thoughts", append(start,
			aisdkapi.ReasoningStart{ID: "0"}, aisdkapi.ReasoningEnd{ID: "0"},
			aisdkapi.ToolInputStart{ID: "c", ToolName: "f"},
		), `{"type":"tool-input-end","id":"c"}` + "\n" + end},
		{"within thoughts and a call", append(start,
			aisdkapi.ReasoningStart{ID: "0"}, aisdkapi.ToolInputStart{ID: "0", ToolName: "f"},
		), `{"type":"reasoning-end","id":"0"}` + "\n" + `{"type":"tool-input-end","id":"0"}` +
			"\n" + end},
		{"after the finish", append(start, aisdkapi.Finish{FinishReason: aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonStop}}), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			w := aisdk.NewStreamWriter(&out)
			if err := w.Write(tt.parts...); err != nil {
				t.Fatal(err)
			}
			before := out.Len()
			if err := errors.Join(w.Fail("lost"), w.Fail("again")); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.String()[before:]); diff != "" {
				t.Error(diff)
			}
			for _, err := range aisdk.ReadStream(&out) {
				if err != nil {
					t.Errorf("what was written is no stream: %v", err)
				}
			}
		})
	}
}

func TestPartsBeforeOneThatCannotBeWrittenAre(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := aisdk.NewStreamWriter(&out)
	err := w.Write(aisdkapi.StreamStart{}, aisdkapi.RawPart{RawValue: jsontext.Value(`{`)},
		aisdkapi.TextStart{ID: "0"})
	if _, ok := errors.AsType[*aisdk.PartError](err); !ok ||
		out.String() != `{"type":"stream-start","warnings":[]}`+"\n" {
		t.Errorf("wrote %q, error %v", out.String(), err)
	}
}
