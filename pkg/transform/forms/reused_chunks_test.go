package forms_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
)

// randomUsage returns a usage record, either typical or unusual.
func randomUsage(random *rand.Rand, step int) string {
	count := func() int { return max(0, step*random.IntN(3)-random.IntN(2)) }
	members := []string{
		fmt.Sprintf(`"promptTokenCount":%d`, 7+random.IntN(2)),
		fmt.Sprintf(`"totalTokenCount":%d`, 1+step*random.IntN(4)-random.IntN(2)),
	}
	for _, name := range []string{
		"candidatesTokenCount", "thoughtsTokenCount", "cachedContentTokenCount",
	} {
		if random.IntN(3) > 0 {
			members = append(members, fmt.Sprintf(`"%s":%d`, name, count()))
		}
	}
	switch random.IntN(12) {
	case 0:
		members = append(members,
			`"promptTokensDetails":[{"modality":"NEW","tokenCount":1}],"trafficType":"ON_DEMAND"`)
	case 1:
		members = append(members, `"x":{}`)
	case 2, 3, 4, 5, 6:
		members = append(members, fmt.Sprintf(
			`"promptTokensDetails":[{"modality":"TEXT","tokenCount":%d}]`, random.IntN(2)))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// randomStream returns random chunks. Nearly all of them are a piece of a text with a usage record.
func randomStream(random *rand.Rand) string {
	var out strings.Builder
	for step := range 1 + random.IntN(12) {
		out.WriteString(`data: {"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"}`)
		if random.IntN(8) == 0 {
			out.WriteString(`,"safetyRatings":[]`) // a chunk whose memory is not used again
		}
		out.WriteString("}]")
		if random.IntN(6) > 0 {
			out.WriteString(`,"usageMetadata":` + randomUsage(random, step))
		}
		out.WriteString("}\n\n")
	}
	return out.String() + `data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n"
}

// written returns a form's output for a stream, with its report.
func written(t *testing.T, f *transform.Form, body string, opts ...gemini.StreamOption) string {
	t.Helper()
	in := gemini.NewStreamReader(strings.NewReader(body), opts...)
	s := f.New().Stream(&transform.Options{ID: "id"})
	var out []byte
	for {
		chunk, err := in.Next()
		if err == io.EOF {
			break
		}
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
	for _, entry := range s.Report() {
		out = append(out, entry.String()+"\n"...)
	}
	return string(out)
}

func TestFormsSayTheSameOfChunksWhoseMemoryIsUsedAgain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		body := randomStream(random)
		for _, f := range forms.All() {
			kept := written(t, f, body)
			reused := written(t, f, body, gemini.WithReusedChunks())
			if kept != reused {
				t.Fatalf("%s: %s\nkept\n%s\nreused\n%s", f.Name, body, kept, reused)
			}
		}
	}
}
