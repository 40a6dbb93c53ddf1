package messages_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

// lines returns a report as lines, one entry per line.
func lines(report report.Report) string {
	var out []string
	for _, e := range report {
		out = append(out, string(e.Kind)+" "+e.Pointer)
	}
	return strings.Join(out, "\n")
}

func TestCountsThatAreReported(t *testing.T) {
	t.Parallel()
	const at = "approximated /usageMetadata"
	for counts, want := range map[string]string{
		`"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2`:                             "",
		`"promptTokenCount":3,"cachedContentTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":4`: "",
		`"promptTokenCount":3,"cachedContentTokenCount":4,"candidatesTokenCount":1,"totalTokenCount":4`: at +
			"/cachedContentTokenCount",
		`"promptTokenCount":3,"cachedContentTokenCount":-1,"candidatesTokenCount":1,"totalTokenCount":4`: at +
			"/cachedContentTokenCount",
		`"promptTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":5`: at +
			"/totalTokenCount",
		`"promptTokenCount":3,"toolUsePromptTokenCount":2,"candidatesTokenCount":1,"totalTokenCount":6`: at +
			"/toolUsePromptTokenCount",
		`"promptTokenCount":-3,"candidatesTokenCount":1,"totalTokenCount":1`: at +
			"/promptTokenCount",
		`"promptTokenCount":3,"candidatesTokenCount":1,"thoughtsTokenCount":-1,"totalTokenCount":4`: at +
			"/thoughtsTokenCount",
		`"promptTokenCount":3,"candidatesTokenCount":-1,"totalTokenCount":3`: at +
			"/candidatesTokenCount",
		`"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2,"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}]`: at +
			"/promptTokensDetails",
		`"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2,"trafficType":"ON_DEMAND"`: at +
			"/trafficType",
		`"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2,"later":1`: "lost /usageMetadata/later",
	} {
		_, report := convert(t,
			`{"responseId":"r","modelVersion":"m","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"text":"a"}]}}],"usageMetadata":{`+
				counts+`}}`)
		if diff := cmp.Diff(want, lines(report)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", counts, diff, report)
		}
	}
	_, report := convert(t,
		`{"responseId":"r","modelVersion":"m","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":3,"cachedContentTokenCount":4,"candidatesTokenCount":1}}`)
	if len(report) != 1 || report[0].Detail != "more than the count of the prompt, which is used instead" {
		t.Errorf("got %v", report)
	}
	_, report = convert(t,
		`{"responseId":"r","modelVersion":"m","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":3,"cachedContentTokenCount":-4,"candidatesTokenCount":1}}`)
	if len(report) != 1 || report[0].Detail != "replaced by the nearest possible count" {
		t.Errorf("got %v", report)
	}
}

func TestTheIDOfAMessage(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		id, want, report string
		opts             []messages.Option
	}{
		"of the response":        {"aZ09_-", "msg_aZ09_-", "", nil},
		"with other characters":  {"a`{@[/:é", "msg_a_______", "approximated /responseId", nil},
		"none":                   {"", "msg_gemini", "added /responseId", nil},
		"that was set":           {"a", "msg_set", "lost /responseId", []messages.Option{messages.WithID("msg_set")}},
		"that was set, for none": {"", "msg_set", "", []messages.Option{messages.WithID("msg_set")}},
	} {
		out, report := convert(t,
			`{"responseId":"`+tc.id+
				`","modelVersion":"m","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`,
			tc.opts...)
		if out.ID != tc.want || lines(report) != tc.report {
			t.Errorf("%s: %s, %v", name, out.ID, report)
		}
	}
}

func TestMissingMembersOfAMessage(t *testing.T) {
	t.Parallel()
	const start, end = `{"responseId":"r","modelVersion":"m","usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2},`,
		`}`
	const said = `"finishReason":"STOP","content":{"role":"model","parts":[{"text":"a"}]}`
	for members, want := range map[string]string{
		`"candidates":[{` + said + `}]`:           "",
		`"candidates":[{"index":0,` + said + `}]`: "",
		`"candidates":[{"index":1,` + said +
			`}]`: "lost /candidates/0/index",
		`"candidates":[{` + said + `},{"index":1,` + said +
			`}]`: "lost /candidates/1",
		`"candidates":[{"index":0,` + said + `},{"index":0,` + said +
			`}]`: "lost /candidates/1\napproximated /candidates/1/index",
		`"candidates":[{"avgLogprobs":-0.5,` + said +
			`}]`: "approximated /candidates/0/avgLogprobs",
		`"later":1,"candidates":[{` + said + `}]`:                                    "lost /later",
		`"candidates":[{"groundingMetadata":{"groundingSupports":[]},` + said + `}]`: "",
	} {
		_, report := convert(t, start+members+end)
		if diff := cmp.Diff(want, lines(report)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%v", members, diff, report)
		}
	}
}

func TestStatusOfAFailure(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		upstream int
		status   string
		want     int
		kind     anthropicapi.ErrorType
	}{
		"not implemented":  {http.StatusNotImplemented, "UNIMPLEMENTED", http.StatusNotImplemented, "api_error"},
		"a bad gateway":    {http.StatusBadGateway, "", http.StatusBadGateway, "api_error"},
		"cancelled":        {499, "CANCELLED", 499, "api_error"},
		"a conflict":       {http.StatusConflict, "ALREADY_EXISTS", http.StatusConflict, "conflict_error"},
		"aborted":          {http.StatusInternalServerError, "ABORTED", http.StatusConflict, "conflict_error"},
		"too large":        {http.StatusRequestEntityTooLarge, "", http.StatusRequestEntityTooLarge, "request_too_large"},
		"overloaded":       {http.StatusServiceUnavailable, "", 529, "overloaded_error"},
		"unavailable":      {http.StatusBadGateway, "UNAVAILABLE", 529, "overloaded_error"},
		"forbidden":        {http.StatusForbidden, "PERMISSION_DENIED", http.StatusForbidden, "permission_error"},
		"a broken service": {http.StatusInternalServerError, "INTERNAL", http.StatusInternalServerError, "api_error"},
	} {
		got, body := messages.FromError(gemini.DecodeError(tc.upstream, nil,
			[]byte(`{"error":{"message":"M.","status":"`+tc.status+`"}}`)))
		if got != tc.want || body.Error.Type != string(tc.kind) {
			t.Errorf("%s: %d %s", name, got, body.Error.Type)
		}
	}
}
