package request_test

import (
	"testing"
	"bytes"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/corpustest"
	"github.com/gemwire/gemwire/internal/leaftest"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/go-json-experiment/json"
)

func conv(t *testing.T, doc []byte, opts ...request.Option) ([]byte, transform.Report, error) {
	var in openaiapi.CreateResponseRequest
	if err := json.Unmarshal(doc, &in); err != nil {
		return nil, nil, err
	}
	out, report, err := request.ToGemini(&in, opts...)
	if err != nil {
		return nil, report, err
	}
	data, err := gemini.EncodeRequest(out)
	return data, report, err
}

func TestTmp(t *testing.T) {
	n, bad := 0, 0
	for _, p := range corpustest.ClientPayloads(t, "responses", corpustest.Request) {
		n++
		doc := p.Read(t)
		_, _, err := conv(t, doc, request.ForModel("gemini-3.5-flash"))
		if err != nil {
			bad++
			t.Logf("%s: %v", p.Name, err)
			continue
		}
		before, report, err := conv(t, doc, request.ForModel("gemini-3.5-flash"), request.WithoutValidation())
		leaves, _ := leaftest.All(doc)
		for _, l := range leaves {
			after, ra, err := conv(t, l.Change(doc), request.ForModel("gemini-3.5-flash"), request.WithoutValidation())
			if err == nil && bytes.Equal(before, after) && !report.Covers(l.Pointer) && !ra.Covers(l.Pointer) {
				t.Errorf("%s: %s is lost silently", p.Name, l.Pointer)
			}
		}
	}
	t.Log(n, bad)
}
