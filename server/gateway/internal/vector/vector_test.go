package vector_test

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/vector"
)

func TestNormalizedVectorHasTheLengthOneAndItsDirection(t *testing.T) {
	t.Parallel()
	values := []float64{3, 0, -4}
	vector.Normalize(values)
	if want := []float64{0.6, 0, -0.8}; !slices.Equal(values, want) {
		t.Errorf("got %v, want %v", values, want)
	}
}

func TestVectorOfLengthOneKeepsItsDigits(t *testing.T) {
	t.Parallel()
	values := []float64{0.6000001, 0.8}
	vector.Normalize(values)
	if want := []float64{0.6000001, 0.8}; !slices.Equal(values, want) {
		t.Errorf("got %v, want %v", values, want)
	}
}

func TestVectorWithoutADirectionIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, values := range [][]float64{{0, 0}, {}, {math.Inf(1), 1}, {1e200, 1e200}} {
		got := slices.Clone(values)
		vector.Normalize(got)
		if !slices.Equal(got, values) {
			t.Errorf("%v became %v", values, got)
		}
	}
}

func TestBase64IsSinglePrecisionLittleEndian(t *testing.T) {
	t.Parallel()
	if got := vector.Base64([]float64{1}); got != "AACAPw==" {
		t.Errorf("1 is %q", got)
	}
	want := []float64{0.25, -1.5, 0, 3e-5}
	raw, err := base64.StdEncoding.DecodeString(vector.Base64(want))
	if err != nil || len(raw) != 4*len(want) {
		t.Fatalf("%d bytes, error %v", len(raw), err)
	}
	for i, v := range want {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])); got != float32(v) {
			t.Errorf("number %d is %v, want %v", i, got, v)
		}
	}
}

func TestVectorsComeBackFromBase64(t *testing.T) {
	t.Parallel()
	want := []float64{0.1, -2, 0, 1e-20}
	if got, ok := vector.FromBase64(vector.Base64(want)); !ok || !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for _, text := range []string{"#", "AAA=", vector.Base64([]float64{math.Inf(1)}),
		vector.Base64([]float64{math.NaN()})} {
		if got, ok := vector.FromBase64(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}
