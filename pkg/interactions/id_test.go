package interactions_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/interactions"
)

func TestAnIDHasTheIDOfItsResponse(t *testing.T) {
	t.Parallel()
	const id = "v1_ChdUMnNIYXVxU0lJX2lxdHNQX2FicXVBWRIXVDJzSGF1cVNJSV9pcXRzUF9hYnF1QVk"
	if got, ok := interactions.ResponseID(id); !ok || got != "T2sHauqSII_iqtsP_abquAY" {
		t.Errorf("the id of the response is %q, %v", got, ok)
	}
	if got := interactions.NewID("T2sHauqSII_iqtsP_abquAY", "T2sHauqSII_iqtsP_abquAY"); got != id {
		t.Errorf("the id is %s", got)
	}
	for _, other := range []string{"", "v1_", "v1_!", "resp_1", "v1_Cg", "v1_CgFhEgFiAA", "v1_CgFh"} {
		if got, ok := interactions.ResponseID(other); ok {
			t.Errorf("%q has the id %q", other, got)
		}
	}
}

func TestEveryRecordedIDHasTheIDOfAResponse(t *testing.T) {
	t.Parallel()
	for _, payload := range corpustest.InteractionPayloads(t, corpustest.Response) {
		in, err := interactions.DecodeResponse(payload.Read(t))
		if err != nil {
			t.Fatal(err)
		}
		if in.ID == nil {
			continue
		}
		if got, ok := interactions.ResponseID(*in.ID); !ok || len(got) < 22 || len(got) > 23 {
			t.Errorf("%s: the id of the response is %q", payload.Name, got)
		}
	}
}
