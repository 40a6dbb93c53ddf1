package media_test

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"

	"github.com/gemwire/gemwire/internal/media"
)

func TestPiecesThatAreCutAnewJoinToTheBase64OfAll(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		var cutter media.Base64Cutter
		var all []byte
		var joined string
		for range 1 + random.IntN(6) {
			piece := make([]byte, random.IntN(8))
			for i := range piece {
				piece[i] = byte(random.IntN(256))
			}
			all = append(all, piece...)
			text := cutter.Next(base64.StdEncoding.EncodeToString(piece))
			if len(text)%4 != 0 || len(text) > 0 && text[len(text)-1] == '=' {
				t.Fatalf("%q is no whole group of digits", text)
			}
			joined += text
		}
		joined += cutter.Rest()
		if want := base64.StdEncoding.EncodeToString(all); joined != want || cutter.Rest() != "" {
			t.Fatalf("got %q, want %q", joined, want)
		}
	}
}
