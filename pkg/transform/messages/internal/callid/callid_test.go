package callid_test

import (
<<<<<<< HEAD
	"regexp"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages/internal/callid"
)

// taken is what the Messages API takes as an id.
var taken = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

var ids = []string{"call_1", "a", "x.y:z", "kü", "", "toolu_gemini_0_0", "toolu_x_", "toolu_x_YQ", "a_gemwire1_b", "\xff", "gemwire1_"}

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

func TestMadeIDsAreNoneOfGemini(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, response := range []string{"", "r1", "with.dot", "toolu_x_YQ"} {
		for part := range 3 {
			id := callid.Made(response, 0, part)
			if seen[id] || !taken.MatchString(id) || callid.Gemini(id) != "" {
				t.Errorf("%q", id)
			}
			seen[id] = true
=======
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/messages/internal/callid"
)

func TestIDsComeBack(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"call_1":         "call_1",
		"fc-9":           "fc-9",
		"a.b/c":          "toolu_b64_YS5iL2M",
		"é":              "toolu_b64_w6k",
		"toolu_gemini_x": "toolu_b64_dG9vbHVfZ2VtaW5pX3g",
		"toolu_b64_YQ":   "toolu_b64_dG9vbHVfYjY0X1lR",
	} {
		got := callid.FromGemini(id)
		if got != want || !callid.IsSafe(got) || callid.ToGemini(got) != id {
			t.Errorf("%q is %q and comes back as %q", id, got, callid.ToGemini(got))
>>>>>>> a359709 (Convert Gemini's answers and streams to the Messages API)
		}
	}
}

<<<<<<< HEAD
func TestIDsOfOthersStayAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"toolu_01UiyhG7", "toolu_x_!!", "toolu_x_YQ"} {
		if got := callid.Gemini(id); got != id {
			t.Errorf("%q becomes %q", id, got)
=======
func TestMadeIDsAreNoneOfGeminis(t *testing.T) {
	t.Parallel()
	for _, id := range []string{callid.Made("", 3), callid.Made("r-1", 0), callid.Made("a+b", 2)} {
		if !callid.IsSafe(id) || callid.ToGemini(id) != "" {
			t.Errorf("%q", id)
		}
	}
	if callid.Made("r", 1) == callid.Made("q", 1) || callid.Made("r", 1) == callid.Made("r", 2) {
		t.Error("two calls have the same id")
	}
}

func TestIDsOfOthersStayAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "toolu_01A", "toolu_b64_%", "call.1"} {
		if got := callid.ToGemini(id); got != id {
			t.Errorf("%q became %q", id, got)
>>>>>>> a359709 (Convert Gemini's answers and streams to the Messages API)
		}
	}
}
