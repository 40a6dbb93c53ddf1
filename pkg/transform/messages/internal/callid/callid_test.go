package callid_test

import (
	"regexp"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages/internal/callid"
)

// taken matches the ids that the Messages API accepts.
var taken = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

var ids = []string{"call_1", "a", "x.y:z", "kü", "", "toolu_gemini_0_0", "toolu_x_", "toolu_x_YQ",
	"a_gemwire1_b", "\xff", "gemwire1_"}

func TestIDsOfGeminiComeBack(t *testing.T) {
	t.Parallel()
	for _, id := range ids {
		checkComesBack(t, id)
	}
}

func FuzzIDsOfGeminiComeBack(f *testing.F) {
	for _, id := range ids {
		f.Add(id)
	}
	f.Fuzz(checkComesBack)
}

func checkComesBack(t *testing.T, id string) {
	if id == "" {
		return
	}
	out := callid.Of(id)
	if !taken.MatchString(out) {
		t.Errorf("%q becomes %q, which no server takes", id, out)
	}
	if got := callid.Gemini(out); got != id {
		t.Errorf("%q becomes %q, and that %q", id, out, got)
	}
	carrying, ok := envelope.AppendToID(out, envelope.Entry{Kind: envelope.Call, Signature: "AAEC"})
	if got := callid.Gemini(carrying); !ok || got != id {
		t.Errorf("%q with a token becomes %q, and that %q", id, carrying, got)
	}
}

func TestMadeIDsAreNeverGeminis(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, response := range []string{"", "r1", "with.dot", "toolu_x_YQ"} {
		for part := range 3 {
			id := callid.Made(response, 0, part)
			if seen[id] || !taken.MatchString(id) || callid.Gemini(id) != "" {
				t.Errorf("%q", id)
			}
			seen[id] = true
		}
	}
}

func TestIDsOfOthersStayAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"toolu_01UiyhG7", "toolu_x_!!", "toolu_x_YQ"} {
		if got := callid.Gemini(id); got != id {
			t.Errorf("%q becomes %q", id, got)
		}
	}
}
