package cli

import (
	"io"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
)

// encoded is a document that a form has written.
type encoded []byte

func encode(document *encoded) ([]byte, error) { return *document, nil }

// options are the settings of a conversion for a form.
func (s *settings) options() *transform.Options {
	o := &transform.Options{
		ID: s.id, Model: s.model, WithoutExtensions: s.withoutExtensions, Usage: s.includeUsage,
		LossesOnly: s.lossesOnly, Strict: s.strict,
	}
	if s.created != nil {
		o.Created = *s.created
	}
	return o
}

// answerIn returns the conversion of Gemini's answers to a form.
func answerIn(f *transform.Form) func(*geminiapi.GenerateContentResponse, settings) (*encoded,
	report.Report, error) {
	return func(r *geminiapi.GenerateContentResponse, s settings) (*encoded, report.Report, error) {
		o := s.options()
		o.Strict = false // what all of the conversion loses is refused together
		out, entries, err := f.New().AppendAnswer(nil, r, o)
		return (*encoded)(&out), entries, err
	}
}

// normalizedIn returns the conversion of normalised responses to a form.
func normalizedIn(f *transform.Form) func(*normalize.Response, settings) (*encoded, report.Report,
	error) {
	return func(r *normalize.Response, s settings) (*encoded, report.Report, error) {
		o := s.options()
		o.Strict = false
		out, entries, err := f.New().AppendNormalized(nil, r, o)
		return (*encoded)(&out), entries, err
	}
}

// requestOf makes a decoder of the requests of a form.
func requestOf(f *transform.Form) decoder[transform.Request] {
	return exactly(func(data []byte) (*transform.Request, error) {
		r, err := f.Decode(data)
		return &r, err
	})
}

func requestToGemini(r *transform.Request, s settings) (*geminiapi.GenerateContentRequest,
	report.Report, error) {
	return (*r).ToGemini(transform.Target{Model: s.model, ForVertexAI: s.vertex})
}

// recoded makes a decoder of a document that is written back in canonical form.
func recoded(d *transform.Document) decoder[encoded] {
	return exactly(func(data []byte) (*encoded, error) {
		out, err := d.Recode(data)
		return (*encoded)(&out), err
	})
}

// copied makes a converter of a stream to itself.
func copied(d *transform.Document) converter {
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		entries, err := d.Copy(out, in, s.strict)
		return entries, s.refuseLosses(entries, err)
	}
}

// streamIn makes a converter of Gemini's streams to a form's streams.
func streamIn(f *transform.Form) converter {
	return streamed(func(s settings, out io.Writer) (chunkConverter[encoded],
		streamWriter[encoded]) {
		stream := &formStream{Stream: f.New().Stream(s.options()), out: out}
		return stream, stream
	})
}

// formStream writes a stream of a form. The form writes the end.
type formStream struct {
	transform.Stream
	out io.Writer
	buf []byte
}

func (f *formStream) Push(chunk *geminiapi.GenerateContentResponse) ([]encoded, error) {
	out, err := f.Stream.Push(f.buf[:0], chunk)
	f.buf = out
	return []encoded{out}, err
}

func (f *formStream) Close(err error) ([]encoded, error) {
	out, err := f.Stream.Close(f.buf[:0], err)
	return []encoded{out}, err
}

func (f *formStream) Write(events ...encoded) error {
	for _, event := range events {
		if len(event) == 0 {
			continue
		}
		if _, err := f.out.Write(event); err != nil {
			return err
		}
	}
	return nil
}

func (*formStream) Done() error { return nil }

func (f *formStream) Fail(err error) { _ = f.Write(f.Stream.Fail(nil, err)) }

// addForm adds the formats of a form and their conversions, except those to Gemini.
func (t *tables) addForm(f *transform.Form) {
	request, response, stream := format(f.Request.Name), format(f.Response.Name),
		format(f.Stream.Name)
	requests := []conversion{
		{request, request, canonical(recoded(&f.Request), encode)},
		{request, geminiRequest, whole(requestOf(f), requestToGemini, gemini.EncodeRequest)},
	}
	answers := []conversion{
		{response, response, canonical(answers(t, f.Response.Mark, recoded(&f.Response)), encode)},
		{response, geminiResponse, t.answerBack(f)},
		{stream, stream, copied(&f.Stream)},
		{stream, geminiStream, streamBack(f)},
	}
	answers = slices.DeleteFunc(answers, func(c conversion) bool { return c.run == nil })
	if f.Back != nil { // a form that is converted in both directions has its answers first
		requests, answers = answers, requests
	}
	t.conversions = append(append(t.conversions, requests...), answers...)
}
