// Package vector writes and reads embedding vectors in OpenAI's formats: normalized to the length
// 1, and in base64 if the client asks for it.
package vector

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
)

// unit is the tolerance of a squared length of 1 after rounding to single precision.
const unit = 1e-5

// Normalize scales a vector to the length 1, in place. It does not change a vector of that length,
// or the zero vector, which has no direction.
func Normalize(values []float64) {
	square := 0.0
	for _, v := range values {
		square += v * v
	}
	if square == 0 || math.Abs(square-1) < unit || math.IsInf(square, 0) || math.IsNaN(square) {
		return
	}
	length := math.Sqrt(square)
	for i, v := range values {
		values[i] = single(v / length)
	}
}

// single returns a number with its single-precision digits. Models compute in single precision.
func single(v float64) float64 {
	var digits [32]byte
	short, err := strconv.ParseFloat(string(strconv.AppendFloat(digits[:0], v, 'g', -1, 32)), 64)
	if err != nil {
		return v
	}
	return short
}

// Base64 returns the numbers of a vector in single precision, little-endian, in base64 with
// padding.
func Base64(values []float64) string {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// FromBase64 decodes the output of [Base64]. ok is false for invalid data, and for numbers that are
// not finite.
func FromBase64(encoded string) (values []float64, ok bool) {
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(raw)%4 != 0 {
		return nil, false
	}
	for ; len(raw) > 0; raw = raw[4:] {
		value := float64(math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, false
		}
		values = append(values, single(value))
	}
	return values, true
}
