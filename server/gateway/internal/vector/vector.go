// Package vector writes and reads the vectors of embeddings as OpenAI does: of the length 1, and in
// base64 where clients ask for that.
package vector

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
)

// unit is how far from 1 the square of a length may be that single precision has rounded.
const unit = 1e-5

// Normalize gives a vector the length 1, in place. One that has it already keeps its digits, and
// the vector of zeros is left alone: it has no direction.
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

// single returns a number with the digits that it has in single precision, in which models compute.
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

// FromBase64 returns the numbers that [Base64] has written. ok is false for what is none, and for
// numbers that are not finite.
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
