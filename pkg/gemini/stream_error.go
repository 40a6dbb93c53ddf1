package gemini

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// failure turns what the scanner ends with into what Next returns.
func (s *StreamReader) failure(err error) error {
	if _, ok := errors.AsType[*Error](err); ok { // of the reader below
		return err
	}
	if text, ok := errors.AsType[*eventstream.TextError](err); ok {
		if jsontext.Value(text.Text).IsValid() { // a number, for example
			return s.scanner.Failure("gemini", s.count, codec.CheckRoot(payloadResponse, text.Text))
		}
		return DecodeError(0, nil, text.Text)
	}
	if damage, ok := errors.AsType[*eventstream.ByteError](err); ok {
		err = codec.NewByteError(payloadResponse, damage.Byte)
	}
	if errors.Is(err, eventstream.ErrCut) {
		err = cutOrDamaged(s.scanner.Event.Bytes())
	}
	if err != io.EOF {
		return s.scanner.Failure("gemini", s.count, err)
	}
	switch {
	case s.continued:
		return s.truncated("content comes after the last finish reason")
	case s.finished, s.refused && !s.answered:
		return io.EOF
	case s.count > 0:
		return s.truncated("no finish reason")
	case s.scanner.Consumed() == 0:
		return s.truncated("the body is empty")
	default:
		return s.truncated("the body holds no event")
	}
}

// cutOrDamaged returns why the last event of a body is not whole. If it is damaged before its end, more bytes
// would not help, and neither does a retry.
func cutOrDamaged(event []byte) error {
	var value jsontext.Value
	err := json.Unmarshal(event, &value)
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		return eventstream.ErrCut
	}
	return codec.NewMalformedError(payloadResponse, event, err)
}

func (s *StreamReader) truncated(problem string) error {
	return s.scanner.Truncated("gemini", s.count, problem)
}
