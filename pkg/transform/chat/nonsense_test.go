package chat_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/wire"
)

// nonsense has replacements for values. Most of them have another type.
var nonsense = []string{`null`, `7`, `"nonsense"`, `{}`, `[]`, `[null]`, `true`, `[{}]`}

// An invalid value counts as absent, or is an error, both whole and streamed. The readable values
// agree.
func TestNonsenseIsTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	most, converted, refused := leaftest.Enough(24), 0, 0
	for i, p := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(p.Read(t))
		if err != nil {
			continue
		}
		body, err := gemini.EncodeResponse(in)
		if err != nil {
			t.Fatal(err)
		}
		values, err := leaftest.Values(body)
		if err != nil {
			t.Fatal(err)
		}
		for j, value := range leaftest.Sample(values, most) {
			other := nonsense[(i+j)%len(nonsense)]
			name := fmt.Sprintf("%s: %s as %s", p.Name, value.Pointer, other)
			if checkWholeIsStreamed(t, name, value.Replace(body, other)) {
				converted++
			} else {
				refused++
			}
		}
	}
	t.Logf("%d converted, %d refused", converted, refused)
	if converted < corpustest.AtLeast(5_000) || refused < corpustest.AtLeast(3_000) {
		t.Errorf("only %d were converted and %d refused", converted, refused)
	}
}

// checkWholeIsStreamed converts a body as a whole and as the only event of a stream. It reports
// whether there was a completion.
func checkWholeIsStreamed(t *testing.T, name string, body []byte) bool {
	t.Helper()
	whole, _, err := gemini.DecodeForgiving(body)
	if err == nil {
		_, _, err = chat.FromGemini(whole)
	}
	chunks, failure := openaitest.ReadStream(
		bytes.Join([][]byte{[]byte("data: "), body, []byte("\n\n")}, nil))
	out := convertStream(t, chunks, failure, chat.WithUsage())
	switch {
	case errors.Is(out.err, wire.ErrTruncated): // which a whole answer cannot be
		return false
	case (err == nil) != (out.err == nil):
		t.Errorf("%s:\nwhole:    %v\nstreamed: %v", name, err, out.err)
		return false
	case err != nil:
		return false
	}
	checkAccumulated(t, name, []*geminiapi.GenerateContentResponse{whole}, out, chat.WithUsage())
	return true
}
