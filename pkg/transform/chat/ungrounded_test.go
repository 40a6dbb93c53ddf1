package chat_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// formStream returns the events of a stream as a server writes them, and its report.
func formStream(t *testing.T, bodies []string, o transform.Options) (string, report.Report) {
	t.Helper()
	s := chat.Form().New().Stream(&o)
	var out []byte
	for _, body := range bodies {
		chunk, err := gemini.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if out, err = s.Push(out, chunk); err != nil {
			t.Fatal(err)
		}
	}
	out, err := s.Close(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), s.Report()
}

// sameUngrounded checks that a stream has the same content if its request asks for sources and if
// it does not. It returns both reports.
func sameUngrounded(t *testing.T, bodies []string) (grounded, ungrounded report.Report) {
	t.Helper()
	want, grounded := formStream(t, bodies, transform.Options{})
	got, ungrounded := formStream(t, bodies, transform.Options{Ungrounded: true})
	if got != want {
		t.Errorf("without sources\n%s\nwith\n%s", got, want)
	}
	return grounded, ungrounded
}

func TestUnrequestedSourcesHaveTheirOffsetsAndAreReportedAsUnchecked(t *testing.T) {
	t.Parallel()
	grounded, ungrounded := sameUngrounded(t, groundedStream)
	openaitest.Reports(t, ofPath(grounded, "segment"))
	openaitest.Reports(t, ofPath(ungrounded, "segment"),
		"approximated /1/candidates/0/groundingMetadata/groundingSupports/0/segment")
	for _, e := range ofPath(ungrounded, "segment") {
		if !strings.Contains(e.Detail, "asked for no sources") {
			t.Errorf("the report says %q", e.Detail)
		}
	}
}

func TestCitationsWithoutTextAreAsExactWithoutTheText(t *testing.T) {
	t.Parallel()
	grounded, ungrounded := sameUngrounded(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"plain, then 灯台は🗼"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":" and é"}]}}]}`,
		`{"candidates":[{"citationMetadata":{"citationSources":[
			{"startIndex":3,"endIndex":15,"uri":"u1"},{"startIndex":15,"endIndex":18,"uri":"u2"},
			{"startIndex":13,"endIndex":26,"uri":"u3"},{"startIndex":0,"endIndex":99,"uri":"u4"}]},"finishReason":"STOP"}]}`,
	})
	const off = "approximated /2/candidates/0/citationMetadata/citationSources/"
	openaitest.Reports(t, ofPath(grounded, "citation"), off+"2", off+"3")
	openaitest.Reports(t, ofPath(ungrounded, "citation"), off+"2", off+"3")
}

func TestTheChecksumOfASignedTextIsTheSameWithoutTheText(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"candidates":[{"content":{"parts":[{"text":"one "}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"灯"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},"finishReason":"STOP"}]}`,
	}
	sameUngrounded(t, bodies)
	if out, _ := formStream(t, bodies, transform.Options{Ungrounded: true}); !strings.Contains(out,
		"c2ln") {
		t.Errorf("no signature in %s", out)
	}
}
