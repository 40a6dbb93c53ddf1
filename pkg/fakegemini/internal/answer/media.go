package answer

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// media returns the parts of an image or speech answer, or nil for a text answer.
func (a *author) media() []geminiapi.Part {
	modalities := a.config.ResponseModalities
	if len(modalities) == 0 && strings.Contains(a.Model, "-image") {
		modalities = []geminiapi.ResponseModality{geminiapi.ResponseModalityText,
			geminiapi.ResponseModalityImage}
	}
	var parts []geminiapi.Part
	switch {
	case slices.Contains(modalities, geminiapi.ResponseModalityImage):
		if slices.Contains(modalities, geminiapi.ResponseModalityText) {
			parts = append(parts, geminiapi.Part{Text: new(a.text())})
		}
		return append(parts, inline("image/png", a.picture()))
	case slices.Contains(modalities, geminiapi.ResponseModalityAudio):
		return append(parts, inline("audio/L16;codec=pcm;rate=24000", a.sound()))
	default:
		return nil
	}
}

func inline(mimeType string, data []byte) geminiapi.Part {
	return geminiapi.Part{InlineData: &geminiapi.Blob{MIMEType: &mimeType,
		Data: new(base64.StdEncoding.EncodeToString(data))}}
}

// side is the width and height of pictures.
const side = 8

// picture returns a PNG of one colour.
func (a *author) picture() []byte {
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		picture.Set(i%side, i/side, color.RGBA{R: a.seed[0], G: a.seed[1], B: a.seed[2], A: 255})
	}
	var b bytes.Buffer
	_ = png.Encode(&b, picture) // Writing to a buffer never fails.
	return b.Bytes()
}

const (
	sampleRate = 24000
	// samples is a tenth of a second.
	samples = sampleRate / 10
	// loudness is the amplitude of a sample, which has 16 bits.
	loudness = 8000
)

// sound returns a tone of a tenth of a second: samples of 16 bits, little-endian, one channel,
// without a header, as the models speak.
func (a *author) sound() []byte {
	pitch := 220 + float64(a.seed.number("pitch", 660))
	out := make([]byte, 0, 2*samples)
	for i := range samples {
		sample := int16(loudness * math.Sin(2*math.Pi*pitch*float64(i)/sampleRate))
		out = binary.LittleEndian.AppendUint16(out, uint16(sample))
	}
	return out
}
