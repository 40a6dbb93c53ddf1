package compaction_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway/internal/compaction"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/google/go-cmp/cmp"
)

var owner = responsestore.OwnerOf("key")

func sealer(t testing.TB, secret string) *compaction.Sealer {
	t.Helper()
	s, err := compaction.NewSealer([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func seal(t testing.TB, s *compaction.Sealer, c *compaction.Content) string {
	t.Helper()
	text, err := s.Seal(owner, c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestASealOpensOnlyForItsOwnerAndUnchanged(t *testing.T) {
	t.Parallel()
	s := sealer(t, "a")
	text := seal(t, s, &compaction.Content{Summary: "x", Files: []string{"a.go"}})
	opened, err := sealer(t, "a").Open(owner, text) // another replica
	if err != nil || opened.Summary != "x" {
		t.Fatalf("%+v, %v", opened, err)
	}
	for name, test := range map[string]struct {
		sealer *compaction.Sealer
		owner  responsestore.Owner
		text   string
		want   error
	}{
		"another client":      {s, responsestore.OwnerOf("other"), text, compaction.ErrSeal},
		"another key":         {sealer(t, "b"), owner, text, compaction.ErrSeal},
		"a random key":        {sealer(t, string(compaction.RandomSecret())), owner, text, compaction.ErrSeal},
		"changed":             {s, owner, text[:len(text)-5] + "AAAAA", compaction.ErrSeal},
		"cut":                 {s, owner, text[:40], compaction.ErrSeal},
		"with a line break":   {s, owner, text + "\n", compaction.ErrSeal},
		"of another version":  {s, owner, "gemwire-compaction-2.AAAA", compaction.ErrVersion},
		"of another server":   {s, owner, "gAAAAABo", compaction.ErrForeign},
		"without a text":      {s, owner, "", compaction.ErrForeign},
		"with an empty seal":  {s, owner, "gemwire-compaction-1.", compaction.ErrSeal},
		"with a foreign part": {s, owner, text + "=", compaction.ErrSeal},
	} {
		if _, err := test.sealer.Open(test.owner, test.text); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	if _, err := sealer(t, "b").WithOthers(s).Open(owner, text); err != nil {
		t.Errorf("with the key before: %v", err)
	}
}

// sealedText was sealed with the secret "a". The workers of a fuzz test need the same text.
const sealedText = "gemwire-compaction-1.c6_C3NqbxFdBFG7CIfgmtdW8jDImm6cwBrx2B9GJNQ5nNQFxc" +
	"Slig8Onyg"

// FuzzOpen checks that only what was sealed opens.
func FuzzOpen(f *testing.F) {
	s, text := sealer(f, "a"), sealedText
	for _, seed := range []string{text, text[:len(text)-1], "", "gemwire-compaction-1.AA"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if c, err := s.Open(owner, in); (err == nil) != (in == text) || err == nil && c.Summary != "x" {
			t.Errorf("%q: %+v, %v", in, c, err)
		}
	})
}

// FuzzRoundTrip checks that a content comes back as it was, with its signatures.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a summary", "a.go", "gemwire1_signature", "the question")
	f.Add("", "", "", "\x00\u00e9")
	f.Fuzz(func(t *testing.T, summary, file, signature, question string) {
		in := &compaction.Content{Summary: summary, Files: []string{file}, StandsForAll: true,
			LastTurn: []openaiapi.ResponseItem{responses.UserText(question)},
			LastStep: []openaiapi.ResponseItem{{Type: "reasoning", EncryptedContent: &signature}}}
		s := sealer(t, "a")
		text, err := s.Seal(owner, in)
		if err != nil {
			return // a text that is not UTF-8
		}
		out, err := s.Open(owner, text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in.Items(), out.Items(),
			cmp.Comparer(func(a, b compaction.Item) bool { return same(a, b) })); diff != "" {
			t.Error(diff)
		}
	})
}
