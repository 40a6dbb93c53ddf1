package usagetotal_test

import (
	"reflect"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/usagetotal"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func decode(t *testing.T, text string) *geminiapi.UsageMetadata {
	t.Helper()
	var out geminiapi.UsageMetadata
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

func TestAddSumsCountsAndModalities(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ a, b, want string }{
		"counts":                   {`{"promptTokenCount":1,"totalTokenCount":3}`, `{"promptTokenCount":10,"thoughtsTokenCount":5}`, `{"promptTokenCount":11,"thoughtsTokenCount":5,"totalTokenCount":3}`},
		"a zero":                   {`{}`, `{"promptTokenCount":0}`, `{"promptTokenCount":0}`},
		"nothing":                  {`{}`, `{}`, `{}`},
		"the tier of the first":    {`{"serviceTier":"flex","trafficType":"ON_DEMAND"}`, `{}`, `{"serviceTier":"flex","trafficType":"ON_DEMAND"}`},
		"the tier of the second":   {`{"serviceTier":"flex"}`, `{"serviceTier":"standard"}`, `{"serviceTier":"standard"}`},
		"characters":               {`{"billablePromptUsage":{"textCount":3}}`, `{"billablePromptUsage":{"textCount":4}}`, `{"billablePromptUsage":{"textCount":7}}`},
		"characters of the first":  {`{"billablePromptUsage":{"textCount":3}}`, `{}`, `{"billablePromptUsage":{"textCount":3}}`},
		"characters of the second": {`{}`, `{"billablePromptUsage":{"textCount":4}}`, `{"billablePromptUsage":{"textCount":4}}`},
		"modalities": {
			`{"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}]}`,
			`{"promptTokensDetails":[{"modality":"IMAGE","tokenCount":2},{"modality":"TEXT","tokenCount":3}]}`,
			`{"promptTokensDetails":[{"modality":"TEXT","tokenCount":4},{"modality":"IMAGE","tokenCount":2}]}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := decode(t, test.a), decode(t, test.b)
			if diff := cmp.Diff(decode(t, test.want), usagetotal.Add(a, b)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(decode(t, test.a), a) + cmp.Diff(decode(t, test.b), b); diff != "" {
				t.Error("an argument was changed:", diff)
			}
		})
	}
}

func TestAddTakesNilForNoUsage(t *testing.T) {
	t.Parallel()
	one := decode(t, `{"promptTokenCount":1}`)
	for _, got := range []*geminiapi.UsageMetadata{usagetotal.Add(nil, one),
		usagetotal.Add(one, nil)} {
		if diff := cmp.Diff(one, got); diff != "" {
			t.Error(diff)
		}
	}
	if usagetotal.Add(nil, nil) != nil {
		t.Error("a usage of nothing")
	}
}

// A count or a list that the description adds must be added up too.
func TestAddKnowsAllCounts(t *testing.T) {
	t.Parallel()
	var one geminiapi.UsageMetadata
	fields := reflect.ValueOf(&one).Elem()
	for i := range fields.NumField() {
		switch field := fields.Field(i).Addr().Interface().(type) {
		case **int:
			*field = new(2)
		case *[]geminiapi.ModalityTokenCount:
			*field = []geminiapi.ModalityTokenCount{{TokenCount: new(2)}}
		}
	}
	total := reflect.ValueOf(usagetotal.Add(&one, &one)).Elem()
	for i := range total.NumField() {
		name := total.Type().Field(i).Name
		switch field := total.Field(i).Interface().(type) {
		case *int:
			if *field != 4 {
				t.Errorf("%s is not added up", name)
			}
		case []geminiapi.ModalityTokenCount:
			if len(field) != 1 || *field[0].TokenCount != 4 {
				t.Errorf("%s is not added up", name)
			}
		}
	}
}
