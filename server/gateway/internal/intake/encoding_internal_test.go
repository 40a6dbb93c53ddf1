package intake

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// encode returns data with encodings.
func encode(t *testing.T, data []byte, encodings ...string) []byte {
	t.Helper()
	for _, encoding := range encodings {
		var out bytes.Buffer
		var w io.WriteCloser
		switch encoding {
		case "gzip":
			w = gzip.NewWriter(&out)
		case "deflate":
			w = zlib.NewWriter(&out)
		default:
			w, _ = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data = out.Bytes()
	}
	return data
}

func FuzzAnEncodedBodyIsDecodedToWhatItWas(f *testing.F) {
	f.Add([]byte(`{"model":"gemini-3.6-flash"}`), uint8(0), uint8(3))
	f.Add([]byte{}, uint8(2), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, first, second uint8) {
		encodings := []string{Encodings[int(first)%len(Encodings)]}
		if int(second) < len(Encodings) {
			encodings = append(encodings, Encodings[second])
		}
		for name, body := range map[string][]byte{
			"encoded": encode(t, data, encodings...), "any bytes": data,
		} {
			d, err := decode(bytes.NewReader(body), encodings, 1<<20)
			var got []byte
			if err == nil {
				got, err = io.ReadAll(io.LimitReader(d, 1<<20))
				d.close()
			}
			if name == "encoded" && (err != nil || !bytes.Equal(got, data)) {
				t.Fatalf("%v: %q, %v", encodings, got, err)
			}
		}
	})
}
