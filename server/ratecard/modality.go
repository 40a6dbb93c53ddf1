package ratecard

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// modality is a kind of content that tokens stand for.
type modality int

const (
	text modality = iota
	image
	video
	audio
	pdf        // or another document
	modalities // how many there are
)

// modalityNames are the suffixes of class names.
var modalityNames = [modalities]string{image: "image", video: "video", audio: "audio",
	pdf: "document"}

// modalityOf maps the wire's modalities. All others are text.
var modalityOf = map[geminiapi.Modality]modality{
	geminiapi.ModalityImage:    image,
	geminiapi.ModalityVideo:    video,
	geminiapi.ModalityAudio:    audio,
	geminiapi.ModalityDocument: pdf,
}

// tokens is the number of tokens by modality.
type tokens [modalities]int

// byModality divides a number of tokens by the details in the response. The rest is text.
func byModality(total int, details []geminiapi.ModalityTokenCount) tokens {
	var out tokens
	left := max(total, 0)
	for _, detail := range details {
		m := modalityOf[jsonx.Deref(detail.Modality)]
		n := min(max(jsonx.Deref(detail.TokenCount), 0), left)
		out[m] += n
		left -= n
	}
	out[text] += left
	return out
}

// take subtracts tokens: first from the modalities in the details, and then from any others, text
// first.
func (t *tokens) take(total int, details []geminiapi.ModalityTokenCount) tokens {
	var taken tokens
	left := max(total, 0)
	move := func(m modality, n int) {
		n = min(n, left, t[m])
		t[m] -= n
		taken[m] += n
		left -= n
	}
	for _, detail := range details {
		move(modalityOf[jsonx.Deref(detail.Modality)], max(jsonx.Deref(detail.TokenCount), 0))
	}
	for m := text; m < modalities; m++ {
		move(m, left)
	}
	return taken
}
