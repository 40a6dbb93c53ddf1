package envelope_test

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// FuzzEntries checks that any entries are restored from a token.
func FuzzEntries(f *testing.F) {
	f.Add(byte(1), 3, "CiQB+A==", `{"text":"a"}`, "")
	f.Add(byte(4), 0, "a_b", "", "AB=")
	f.Fuzz(func(t *testing.T, kind byte, ordinal int, signature, part, second string) {
		checkRoundTrip(t, []envelope.Entry{
			{Kind: envelope.Kind(kind % 5), Ordinal: int(uint(ordinal) % 1e9), Signature: signature, Part: part},
			{Kind: envelope.Call, Signature: second},
		})
	})
}

// FuzzParse reads any body with a correct checksum. Accepted bodies are exactly the encoding of
// their entries.
func FuzzParse(f *testing.F) {
	for _, body := range []string{"", "n0s0_", "c1s6_CiQB-A", "t0s4_____h2s2_QR", "o7x4_c18tp3_e30",
		"c01s0_", "c1s1_A", "c1x1_A", "c1x0_", "c1s0_p0_", "c9999999999s0_", "c1s9_a", "c1", "c"} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(body)))
		token := envelope.Prefix + base64.RawURLEncoding.EncodeToString(sum) + "_" + body
		entries, ok := envelope.Parse(token)
		if !ok {
			return
		}
		if again := string(envelope.Append(nil, entries...)); again != token {
			t.Errorf("%q is written as %q", token, again)
		}
	})
}
