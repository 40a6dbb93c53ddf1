package cli

import (
	"io"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/go-json-experiment/json/jsontext"
)

// decoder decodes a document, and reports what it replaces or ignores.
type decoder[T any] func(data []byte) (*T, report.Report, error)

// exactly makes a decoder from a function that ignores nothing.
func exactly[T any](decode func(data []byte) (*T, error)) decoder[T] {
	return func(data []byte) (*T, report.Report, error) {
		payload, err := decode(data)
		return payload, report.ReplacedText("", data), err
	}
}

// whole makes a converter of whole documents.
func whole[A, B any](
	decode decoder[A],
	convert func(*A, settings) (*B, report.Report, error),
	encode func(*B) ([]byte, error),
) converter {
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		data, err := readDocument(in)
		if err != nil {
			return nil, err
		}
		payload, decoded, err := decode(data)
		if err != nil {
			return decoded, err
		}
		converted, report, err := convert(payload, s)
		report = append(decoded, report...)
		if err != nil {
			return report, err
		}
		return report, writeDocument(out, converted, encode, report, s)
	}
}

// canonical makes a converter of a format of whole documents to itself.
func canonical[T any](decode decoder[T], encode func(*T) ([]byte, error)) converter {
	return whole(decode, unchanged, encode)
}

// unchanged is the conversion of a format to itself.
func unchanged[T any](payload *T, _ settings) (*T, report.Report,
	error) {
	return payload, nil, nil
}

// writeDocument writes a converted document with one write after all steps that can fail. In strict
// mode it writes nothing if the report has losses.
func writeDocument[T any](out io.Writer, converted *T, encode func(*T) ([]byte, error),
	report report.Report, s settings) error {
	if err := s.refuseLosses(report, nil); err != nil {
		return err
	}
	document, err := encode(converted)
	if err != nil {
		return err
	}
	if s.pretty {
		if err := (*jsontext.Value)(&document).Indent(listing.Indent); err != nil {
			return err
		}
	}
	_, err = out.Write(append(document, '\n'))
	return err
}
