package agent

import (
	"io"

	"github.com/gemwire/gemwire/internal/option"
)

// Extractor and StrayText are tested on their own.
type (
	Extractor = extractor
	StrayText = strayText
)

// NewExtractor returns an extractor with options.
func NewExtractor(r io.Reader, opts ...Option) *Extractor {
	return newExtractor(r, option.New[options](opts))
}

// Looks returns how many bytes an extractor has looked at; one that it looked at twice counts
// twice.
func (x *Extractor) Looks() int { return x.scanner.looks }
