package aisdk

import (
	"fmt"
	"io"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	wire "github.com/gemwire/gemwire/pkg/aisdk"
)

// lineWriter writes parts as lines, and keeps its buffer.
type lineWriter struct {
	w       io.Writer
	options []wire.EncodeOption
	buf     []byte
}

// write writes parts in one call of w.Write, and nothing for none of them. If one cannot be encoded,
// those before it are written.
func (l *lineWriter) write(parts []aisdkapi.Part) error {
	l.buf = l.buf[:0]
	var failure error
	for _, part := range parts {
		line, err := wire.AppendPart(l.buf, part, l.options...)
		if err != nil {
			failure = err
			break
		}
		l.buf = append(line, '\n')
	}
	if len(l.buf) == 0 {
		return failure
	}
	if _, err := l.w.Write(l.buf); err != nil {
		return fmt.Errorf("aisdk: %w", err)
	}
	if f, ok := l.w.(interface{ Flush() }); ok {
		f.Flush()
	}
	return failure
}
