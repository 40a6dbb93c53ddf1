package cli

import (
	"io"

	"github.com/gemwire/gemwire/pkg/transform"
)

// whole makes a converter of whole documents.
func whole[A, B any](
	decode func(data []byte) (*A, error),
	convert func(*A, settings) (*B, transform.Report, error),
	encode func(*B) ([]byte, error),
) converter {
	return func(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
		data, err := readDocument(in)
		if err != nil {
			return nil, err
		}
		payload, err := decode(data)
		if err != nil {
			return nil, err
		}
		converted, report, err := convert(payload, s)
		if err != nil {
			return report, err
		}
		return report, writeDocument(out, converted, encode, s.refuseLosses(report, nil))
	}
}

// canonical makes a converter of a format of whole documents to itself.
func canonical[T any](decode func(data []byte) (*T, error), encode func(*T) ([]byte, error)) converter {
	return whole(decode, unchanged, encode)
}

// unchanged is the conversion of a format to itself.
func unchanged[T any](payload *T, _ settings) (*T, transform.Report, error) { return payload, nil, nil }

// writeDocument writes a document in one call, after all that could fail, and nothing if it was refused.
func writeDocument[T any](out io.Writer, payload *T, encode func(*T) ([]byte, error), refused error) error {
	if refused != nil {
		return refused
	}
	document, err := encode(payload)
	if err != nil {
		return err
	}
	_, err = out.Write(append(document, '\n'))
	return err
}
