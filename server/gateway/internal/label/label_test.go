package label_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/server/gateway/internal/label"
)

func TestALabelIsShortValidAndNoCredential(t *testing.T) {
	t.Parallel()
	key := "AIza" + strings.Repeat("k", 35)
	for name, tt := range map[string]struct{ text, want string }{
		"a name":                  {"gemini-3.6-flash", "gemini-3.6-flash"},
		"nothing":                 {"", ""},
		"the longest":             {strings.Repeat("m", label.MaxSize), strings.Repeat("m", label.MaxSize)},
		"too long":                {strings.Repeat("m", 20<<20), strings.Repeat("m", label.MaxSize)},
		"cut within a character":  {strings.Repeat("m", label.MaxSize-1) + "é", strings.Repeat("m", label.MaxSize-1)},
		"not UTF-8":               {"a\xffb", "a\ufffdb"},
		"a credential":            {key, "REDACTED"},
		"a credential at the cut": {strings.Repeat("m", label.MaxSize-20) + key, strings.Repeat("m", label.MaxSize-20) + "REDACTED"},
	} {
		if got := label.Text(tt.text); got != tt.want {
			t.Errorf("%s: got %.200q, want %.200q", name, got, tt.want)
		}
	}
}

func TestOnlyNamesThatWereAddedAreLabels(t *testing.T) {
	t.Parallel()
	s := label.NewSet()
	if got := s.Find("m"); got != label.Other {
		t.Errorf("an unknown name is %q", got)
	}
	if got := s.Add("m") + s.Find("m") + s.Find(""); got != "mm" {
		t.Errorf("got %q", got)
	}
	if got := s.Add("AIza" + strings.Repeat("k", 35)); got != label.Other {
		t.Errorf("a credential is %q", got)
	}
	for i := range 2 * label.MaxNames {
		s.Add(fmt.Sprint(i))
	}
	if got := s.Add("late") + s.Add("m"); got != "otherm" {
		t.Errorf("a full set has %q", got)
	}
}

func FuzzASetIsBoundedInCountAndSize(f *testing.F) {
	f.Add("gemini-3.6-flash\n\xff\nAIza"+strings.Repeat("k", 35), uint16(300))
	f.Add(strings.Repeat("é", 200), uint16(1))
	f.Fuzz(func(t *testing.T, text string, count uint16) {
		s, labels := label.NewSet(), map[string]bool{}
		for i := range min(int(count), 2*label.MaxNames) {
			for line := range strings.Lines(text) {
				name := line + fmt.Sprint(i)
				first := s.Add(name)
				if again := s.Find(name); again != first {
					t.Fatalf("%q is %q, then %q", name, first, again)
				}
				labels[first] = true
			}
		}
		for name := range labels {
			if len(name) > label.MaxSize || !utf8.ValidString(name) {
				t.Errorf("the label is %q", name)
			}
		}
		if len(labels) > label.MaxNames+1 {
			t.Errorf("%d labels", len(labels))
		}
	})
}
