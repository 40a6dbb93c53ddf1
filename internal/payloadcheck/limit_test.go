package payloadcheck_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/payloadcheck"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/validation"
)

func TestManyFindingsEndWithOneThatSaysSo(t *testing.T) {
	t.Parallel()
	chunk := []byte("data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]},\"new\":1}]}\n\n")
	body := bytes.Repeat(chunk, 5000)
	whole := []byte(`{"candidates":[{"finishReason":"STOP","content":{"parts":[` +
		strings.Repeat("{\"text\":\"a\",\"new\":1},\n", 5000) + `{"text":"a"}]}}]}`)
	for name, found := range map[string][]validation.Violation{
		"a stream":       gemini.CheckStream(body),
		"a whole answer": gemini.CheckResponse(whole),
	} {
		if len(found) != 1001 {
			t.Fatalf("%s: %d findings", name, len(found))
		}
		if last := found[1000]; last.Rule != "limit" ||
			last.Want != "is not checked, after 1000 findings before it" ||
			last.Position.Offset <= found[999].Position.Offset {
			t.Errorf("%s: the last is %+v", name, last)
		}
	}
}

// Positions are counted from one finding to the next. The result must be the same as counting from
// the start.
func TestEachFindingHasItsLineAndColumn(t *testing.T) {
	t.Parallel()
	body := []byte("{\"candidates\":[{\n\"ä\":1,\"finishReason\":\"STOP\",\n\"index\":-1}],\r\n \"b\":\"ö\",\"c\":1}")
	found := gemini.CheckResponse(body)
	if len(found) != 4 {
		t.Fatalf("found %v", found)
	}
	for _, v := range found {
		if want := payloadcheck.PositionAt(body, v.Position.Offset); v.Position != want {
			t.Errorf("%v is at %+v, want %+v", v, v.Position, want)
		}
	}
}
