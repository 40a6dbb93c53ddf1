package surrogate_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/surrogate"
)

func TestHalvesInPiecesNextToEachOtherAreJoined(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pieces, want []string
		left         surrogate.Tail
	}{
		"a pair":                    {[]string{`"a\ud83d"`, `"\ude00b"`}, []string{`"a"`, `"\ud83d\ude00b"`}, ""},
		"an empty piece between":    {[]string{`"\uD83D"`, `""`, `"\uDE00"`}, []string{`""`, `""`, `"\uD83D\uDE00"`}, ""},
		"one pair after another":    {[]string{`"\ud83d"`, `"\ude00\ud83d"`, `"\ude01"`}, []string{`""`, `"\ud83d\ude00"`, `"\ud83d\ude01"`}, ""},
		"no other half":             {[]string{`"\ud83d"`, `"b"`}, []string{`""`, `"\ud83db"`}, ""},
		"the same half again":       {[]string{`"\ud83d"`, `"\ud83d"`, `"\ude00"`}, []string{`""`, `"\ud83d"`, `"\ud83d\ude00"`}, ""},
		"a second half alone":       {[]string{`"\ude00"`, `"b"`}, []string{`"\ude00"`, `"b"`}, ""},
		"the end":                   {[]string{`"a\ud83d"`}, []string{`"a"`}, `\ud83d`},
		"an escaped backslash":      {[]string{`"\\ud83d"`, `"\ude00"`}, []string{`"\\ud83d"`, `"\ude00"`}, ""},
		"a backslash before":        {[]string{`"\\\ud83d"`, `"\ude00"`}, []string{`"\\"`, `"\ud83d\ude00"`}, ""},
		"a whole pair":              {[]string{`"\ud83d\ude00"`, `"b"`}, []string{`"\ud83d\ude00"`, `"b"`}, ""},
		"pieces without any halves": {[]string{`"a"`, `""`, `"b"`}, []string{`"a"`, `""`, `"b"`}, ""},
	} {
		var tail surrogate.Tail
		var got []string
		for _, piece := range tt.pieces {
			before := piece
			got = append(got, string(tail.Join([]byte(piece))))
			if piece != before {
				t.Errorf("%s: the piece was changed", name)
			}
		}
		if strings.Join(got, " ") != strings.Join(tt.want, " ") || tail != tt.left {
			t.Errorf("%s: got %s and %q, want %s and %q", name, got, tail, tt.want, tt.left)
		}
	}
}
