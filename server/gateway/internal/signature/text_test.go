package signature_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/signature"
)

func TestSignaturesOfATextAreFoundByTheTextAndItsQuestion(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(10_000)
	text := func(question string, pieces ...string) *signature.Text {
		q := m.Question()
		q.Add(question)
		out := m.Answer(q)
		for _, piece := range pieces {
			out.Add(piece)
		}
		return out
	}
	text("Why?", "Be", "cause.").Keep("one")
	if got := text("Why?", "Because.").Find(); got != "one" {
		t.Errorf("found %q", got)
	}
	for _, other := range []*signature.Text{text("Why?", "Because"), text("How?", "Because."),
		text("Why?Because.", ""), text("")} {
		if got := other.Find(); got != "" {
			t.Errorf("another text has %q", got)
		}
	}
	text("Why?", "Because.").Keep("two")
	if got := text("Why?", "Because.").Find(); got != "two" {
		t.Errorf("after the second, found %q", got)
	}
	text("Why?", "So.").Keep(strings.Repeat("x", 10_000))
	if got := text("Why?", "So.").Find(); got != "" {
		t.Error("what is larger than the memory is kept")
	}
	for range 50 {
		text("Why?", "Because.").Keep(strings.Repeat("y", 9_000))
	}
	if got := text("Why?", "Because.").Find(); len(got) != 9_000 {
		t.Errorf("a text that is kept often is forgotten: %q", got)
	}
}

func TestTheTextsThatWereKeptFirstMakeRoom(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(1_600)
	text := func(i int) *signature.Text {
		q := m.Question()
		q.Add(strconv.Itoa(i))
		return m.Answer(q)
	}
	for i := range 9 {
		text(i).Keep(strings.Repeat("x", 300))
	}
	kept := 0
	for i := range 9 {
		if text(i).Find() != "" {
			kept++
		}
	}
	if kept < 2 || kept > 5 || text(8).Find() == "" {
		t.Errorf("of 9 texts of 300 bytes, %d are kept in 1,600 bytes", kept)
	}
}
