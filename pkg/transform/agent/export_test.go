package agent

import (
	"io"

	"github.com/gemwire/gemwire/internal/option"
)

// Extractor and StrayText are exported for their tests.
type (
	Extractor = extractor
	StrayText = strayText
)

// NewExtractor returns an extractor with options.
func NewExtractor(r io.Reader, opts ...Option) *Extractor {
	return newExtractor(r, option.New[options](opts))
}

// Looks returns the number of looks at bytes. A byte that is looked at twice counts twice.
func (x *Extractor) Looks() int { return x.scanner.looks }
