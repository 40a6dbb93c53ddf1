package inspector

import (
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// A shortened text is still JSON for any position of the cut.
func FuzzAShortenedTextIsStillJSON(f *testing.F) {
	for _, seed := range []string{"a", `\"`, `\\`, `\u00e9`, "é", "世", `😀`, `x\\\"`, `","b":"`} {
		f.Add(seed, 0)
		f.Add(seed, 3)
	}
	const maxString = 8 << 10
	f.Fuzz(func(t *testing.T, piece string, shift int) {
		if piece == "" || len(piece) > 1000 || shift < 0 || shift > 100 {
			return
		}
		text := `{"a":"` + strings.Repeat("x", shift) +
			strings.Repeat(piece, 10*maxString/len(piece)) + `","b":[1,"c"]}`
		if !jsontext.Value(text).IsValid() {
			return
		}
		r := &retention{maxString: maxString, maxBody: 1 << 20, maxMedia: 1 << 20}
		kept := r.body([]byte(text))
		short, leftOut := kept.text, kept.leftOut
		if !jsontext.Value(short).IsValid() {
			t.Fatalf("%q is no JSON", short)
		}
		if leftOut > 0 != (len(short) < len(text)) ||
			leftOut > 0 && !strings.Contains(short, leftOutTag) {
			t.Fatalf("%d bytes are left out of %d, which leaves %d", leftOut, len(text), len(short))
		}
		if !strings.HasSuffix(short, `"b":[1,"c"]}`) {
			t.Fatalf("what follows is changed: %q", short)
		}
	})
}

func TestASecretWithEscapesIsRemovedFromTheBeginningOfALongString(t *testing.T) {
	t.Parallel()
	r := &retention{maxString: 100, maxBody: 1 << 20, maxMedia: 1 << 20}
	r.add("sk-of-ours-1234")
	kept := r.body([]byte(`{"a":"sk\u002dof-ours-1234 ` + strings.Repeat("long ", 1000) + `","b":1}`))
	if !strings.HasPrefix(kept.text, `{"a":"REDACTED long `) || !strings.HasSuffix(kept.text,
		`bytes]","b":1}`) || kept.leftOut == 0 {
		t.Error(kept.text)
	}
}

func BenchmarkKeepABody(b *testing.B) {
	for _, kilobytes := range []int{1, 16, 256, 4096} {
		b.Run(strconv.Itoa(kilobytes)+"KB", func(b *testing.B) {
			r := &retention{maxBody: 256 << 10, maxString: 8 << 10}
			r.add("an-upstream-key-of-39-characters-abcdefg")
			body := []byte(`{"messages":[` +
				strings.Repeat(`{"role":"user","content":"What is the weather in Porto? \"Rain\""},`,
					kilobytes*15) +
				`{}]}`)
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				r.body(body)
			}
		})
	}
}
