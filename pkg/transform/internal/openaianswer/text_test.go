package openaianswer_test

import (
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// blocksOf returns the texts that AddTo adds, by part.
func blocksOf(t *testing.T, text *openaianswer.Text) map[int]string {
	t.Helper()
	var soFar normalize.Accumulator
	text.AddTo(&soFar, 0)
	response, err := soFar.Response()
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]string{}
	for _, c := range response.Candidates {
		for i := range c.Blocks {
			out[c.Blocks[i].Part] = c.Blocks[i].Text
		}
	}
	return out
}

// lengths returns the sizes of the characters of a text.
func lengths(text string) (out []int) {
	for _, r := range text {
		out = append(out, utf8.RuneLen(r))
	}
	return out
}

func TestTheShapeHasTheCharactersOfTheTextButNoneOfItsBytes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b c", "é", "\u0800", "灯", "🗼", "\ufffd", "e\u0301"}
	for range 2000 {
		var whole, shape openaianswer.Text
		shape.KeepShape()
		written := ""
		for part := range 1 + random.IntN(3) {
			for range random.IntN(5) {
				piece := ""
				for range random.IntN(12) {
					piece += letters[random.IntN(1+random.IntN(len(letters)))]
				}
				whole.AddPart(part, piece)
				shape.AddPart(part, piece)
				written += piece
			}
		}
		if !shape.IsShape() || whole.IsShape() {
			t.Fatal("only one of the two is a shape")
		}
		if got, want := shape.CRC32(), crc32.ChecksumIEEE([]byte(written)); got != want ||
			whole.CRC32() != want {
			t.Fatalf("%q: checksum %x, want %x", written, got, want)
		}
		want, got := blocksOf(t, &whole), blocksOf(t, &shape)
		if len(got) != len(want) {
			t.Fatalf("%q: %d parts, want %d", written, len(got), len(want))
		}
		for part, text := range want {
			stand := got[part]
			if len(stand) != len(text) || !utf8.ValidString(stand) {
				t.Fatalf("%q is %q", text, stand)
			}
			for i, n := range lengths(stand) {
				if n != lengths(text)[i] {
					t.Fatalf("%q is %q", text, stand)
				}
			}
			if strings.ContainsAny(stand, "ab c") {
				t.Fatalf("%q keeps bytes of %q", stand, text)
			}
		}
	}
}

func TestKeepShapeComesTooLateForATextThatHasBegun(t *testing.T) {
	t.Parallel()
	var text openaianswer.Text
	text.AddPart(0, "some")
	text.KeepShape()
	text.AddPart(0, " words")
	if got := blocksOf(t, &text)[0]; text.IsShape() || got != "some words" {
		t.Errorf("%q", got)
	}
}

// AllocsPerRun does not run in parallel with other tests.
func TestTheShapeOfAnASCIITextTakesNoMemory(t *testing.T) {
	var text openaianswer.Text
	text.KeepShape()
	text.AddPart(0, "x")
	piece := strings.Repeat("words ", 10)
	if n := testing.AllocsPerRun(100, func() { text.AddPart(0, piece) }); n != 0 {
		t.Errorf("%v allocations for a piece", n)
	}
}
