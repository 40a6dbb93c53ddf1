package envelope_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/google/go-cmp/cmp"
)

// alphabet matches the ids of tool calls that Anthropic accepts.
var alphabet = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

func TestTokens(t *testing.T) {
	t.Parallel()
	for token, entries := range map[string][]envelope.Entry{
		"gemwire1_AAAAAA_":                 nil,
		"gemwire1_Yi5qDw_n0s0_":            {{}},
		"gemwire1_RiHjGQ_c1s6_CiQB-A":      {{Kind: envelope.Call, Ordinal: 1, Signature: "CiQB+A=="}},
		"gemwire1_4kBh-w_t0s4_____h2s2_QR": {{Kind: envelope.Text, Signature: "////"}, {Kind: envelope.Thought, Ordinal: 2, Signature: "QR=="}},
		"gemwire1_vBa7uw_o7x4_c18tp3_e30":  {{Kind: envelope.Other, Ordinal: 7, Signature: "s_-", Part: "{}"}},
	} {
		if got := string(envelope.Append(nil, entries...)); got != token {
			t.Errorf("%+v is %q, want %q", entries, got, token)
		}
		if got, ok := envelope.Parse(token); !ok || !cmp.Equal(got, entries) {
			t.Errorf("%q is %+v, want %+v", token, got, entries)
		}
	}
}

func TestAnySignatureComesBack(t *testing.T) {
	t.Parallel()
	for _, signature := range []string{
		"", "=", "==", "====", "A", "AB", "AB=", "AB==", "ABC=", "ABCD", "ABCDE===", "QR==", "A=BC",
		"AB==CD==", "skip_thought_signature_validator",
		"CiQ-_w==", "CiQ+/w", "a b", "\n", "é", "\xff\x00", "gemwire1_AAAAAA_",
		strings.Repeat("aB+/", 3000),
	} {
		want := []envelope.Entry{{Kind: envelope.Call, Ordinal: 12, Signature: signature},
			{Kind: envelope.Other, Ordinal: 13, Part: signature}}
		checkRoundTrip(t, want)
	}
}

func TestOrdinalsAndKindsBeyondTheirRange(t *testing.T) {
	t.Parallel()
	got, ok := envelope.Parse(string(envelope.Append(nil, envelope.Entry{Kind: 9, Ordinal: -4},
		envelope.Entry{Ordinal: 1 << 40})))
	if want := []envelope.Entry{{Kind: envelope.Other}, {Ordinal: 999_999_999}}; !ok ||
		!cmp.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestASignatureDoesNotGrow(t *testing.T) {
	t.Parallel()
	signature := strings.Repeat("CiQB+A/b", 60)
	token := envelope.Append(nil,
		envelope.Entry{Kind: envelope.Call, Ordinal: 3, Signature: signature})
	if grown := len(token) - len(signature); grown > 24 {
		t.Errorf("the token is longer by %d bytes", grown)
	}
}

func TestAChangedTokenIsInvalid(t *testing.T) {
	t.Parallel()
	token := string(envelope.Append(nil,
		envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: "CiQB+A=="},
		envelope.Entry{Part: `{"x":1}`}))
	for i := range len(token) {
		shortened, changed := token[:i], []byte(token)
		if changed[i]++; changed[i] == '`' {
			changed[i]++
		}
		for _, text := range []string{shortened, string(changed), token + "A", " " + token} {
			if entries, ok := envelope.Parse(text); ok || entries != nil {
				t.Errorf("%q is %+v", text, entries)
			}
		}
	}
}

func TestForeignSignaturesAreNoTokens(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "EqQBCkgIARABGAIiQL", "CiQB+A==", "gAAAAABlx_-",
		"skip_thought_signature_validator"} {
		if _, ok := envelope.Parse(text); ok || envelope.IsToken(text) {
			t.Errorf("%q is taken for a token", text)
		}
	}
	if !envelope.IsToken("gemwire1_broken") {
		t.Error("a broken token is taken for another vendor's signature")
	}
}

func TestIDsCarryTokens(t *testing.T) {
	t.Parallel()
	entry := envelope.Entry{Kind: envelope.Call, Ordinal: 2, Signature: "CiQB+A=="}
	id, ok := envelope.AppendToID("call_1", entry)
	if want := "call_1_" + string(envelope.Append(nil, entry)); !ok || id != want {
		t.Errorf("id %q, want %q", id, want)
	}
	if twice, ok := envelope.AppendToID(id, entry); ok || twice != id {
		t.Errorf("an id took a second token: %q", twice)
	}
	for id, want := range map[string]struct {
		bare     string
		entries  []envelope.Entry
		isIntact bool
	}{
		id:                   {"call_1", []envelope.Entry{entry}, true},
		id[:len(id)-1]:       {"call_1", nil, false},
		"call_1":             {"call_1", nil, true},
		"":                   {"", nil, true},
		"_gemwire1_":         {"", nil, false},
		"gemwire1_AAAAAA_":   {"gemwire1_AAAAAA_", nil, true},
		"a_gemwire1_AAAAAA_": {"a", nil, true},
	} {
		if bare, entries, isIntact := envelope.CutFromID(id); bare != want.bare ||
			!cmp.Equal(entries, want.entries) || isIntact != want.isIntact {
			t.Errorf("%q is %q with %+v, intact: %v", id, bare, entries, isIntact)
		}
	}
}

func TestEveryRecordedSignatureComesBack(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		r, err := gemini.DecodeResponse(p.Read(t))
		if err != nil {
			continue // other tests are about what cannot be decoded
		}
		seen += checkSignatures(t, r)
	}
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		stream := gemini.NewStreamReader(bytes.NewReader(p.Read(t)))
		for chunk, err := range stream.All() {
			if err != nil {
				break
			}
			seen += checkSignatures(t, chunk)
		}
	}
	if least := corpustest.AtLeast(400); seen < least {
		t.Errorf("%d signatures, want at least %d", seen, least)
	}
}

// checkSignatures checks that the signatures of a response are restored, alone and together, and
// returns their number.
func checkSignatures(t *testing.T, r *geminiapi.GenerateContentResponse) int {
	t.Helper()
	var all []envelope.Entry
	for i := range r.Candidates {
		if r.Candidates[i].Content == nil {
			continue
		}
		for j, part := range r.Candidates[i].Content.Parts {
			if part.ThoughtSignature != nil {
				all = append(all,
					envelope.Entry{Kind: envelope.Other, Ordinal: j,
						Signature: *part.ThoughtSignature})
				checkRoundTrip(t, all[len(all)-1:])
			}
		}
	}
	checkRoundTrip(t, all)
	return len(all)
}

func checkRoundTrip(t testing.TB, entries []envelope.Entry) {
	t.Helper()
	token := string(envelope.Append(nil, entries...))
	if !alphabet.MatchString(token) {
		t.Errorf("token %q", token)
	}
	if got, ok := envelope.Parse(token); !ok || !cmp.Equal(got, entries) {
		t.Errorf("got %+v, want %+v", got, entries)
	}
	id, ok := envelope.AppendToID("id", entries...)
	if bare, got, isIntact := envelope.CutFromID(id); !ok || !isIntact || bare != "id" ||
		!cmp.Equal(got, entries) {
		t.Errorf("id %q with %+v, want %+v", bare, got, entries)
	}
}
