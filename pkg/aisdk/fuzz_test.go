package aisdk_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/google/go-cmp/cmp"
)

// FuzzDecodePart checks that a decoded part can be encoded and decoded again to the same part.
func FuzzDecodePart(f *testing.F) {
	for _, c := range append(v3Parts[:len(v3Parts):len(v3Parts)], v4Parts...) {
		f.Add([]byte(c.json))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		part, err := aisdk.DecodePart(data)
		if err != nil {
			return
		}
		once, err := aisdk.EncodePart(part, aisdk.ForV4())
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		again, err := aisdk.DecodePart(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		twice, err := aisdk.EncodePart(again, aisdk.ForV4())
		if diff := cmp.Diff(string(once), string(twice)); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}
