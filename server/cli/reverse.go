package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
)

// requestBack returns the conversion of Gemini's requests to a form, nil for a form without one.
func requestBack(f *transform.Form) converter {
	if f.Back == nil {
		return nil
	}
	convert := func(r *geminiapi.GenerateContentRequest, s settings) (*encoded, report.Report,
		error) {
		out, entries, err := f.Back.Request(r, s.options())
		if located, ok := errors.AsType[locatedError](err); ok && s.model == "" {
			if pointer, _ := located.Location(); pointer == "/model" {
				err = &modelError{located}
			}
		}
		return (*encoded)(&out), entries, err
	}
	return whole(exactly(gemini.DecodeRequest), convert, encode)
}

// locatedError is an error with a location and a reason that does not repeat it.
type locatedError interface {
	error
	Location() (pointer string, offset int64)
	Reason() string
}

// modelError is the error of a request without a model. It names the flag that gives one.
type modelError struct{ locatedError }

const modelAdvice = "; --model does"

func (e *modelError) Error() string { return e.locatedError.Error() + modelAdvice }

// Reason returns what Error says without the location.
func (e *modelError) Reason() string { return e.locatedError.Reason() + modelAdvice }

// Unwrap returns the error without the advice.
func (e *modelError) Unwrap() error { return e.locatedError }

// answerBack returns the conversion of a form's answers to Gemini's, nil for a form without one.
func (t *tables) answerBack(f *transform.Form) converter {
	if f.Back == nil {
		return nil
	}
	asItIs := func(data []byte) (*[]byte, report.Report, error) { return &data, nil, nil }
	convert := func(data *[]byte, s settings) (*geminiapi.GenerateContentResponse, report.Report,
		error) {
		return f.Back.Answer(*data, s.options())
	}
	return whole(answers(t, f.Response.Mark, asItIs), convert, gemini.EncodeResponse)
}

// streamBack returns the conversion of a form's streams to Gemini's server-sent events, nil for a
// form without one. A stream that fails ends in an error as its last event.
func streamBack(f *transform.Form) converter {
	if f.Back == nil {
		return nil
	}
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		stream := f.Back.Stream(in, s.options())
		err := writeBack(out, stream, s)
		entries := stream.Report()
		if s.lossesOnly {
			entries = stream.Lost()
		}
		if err = s.refuseLosses(entries, err); err != nil {
			_ = gemini.NewStreamWriter(out).Fail(stream.ErrorBody(err))
		}
		return entries, err
	}
}

func writeBack(out io.Writer, stream transform.BackStream, s settings) error {
	for chunk, err := range stream.Chunks() {
		if err == nil && s.strict {
			err = stream.Lost().Strict()
		}
		if err != nil {
			return err
		}
		data, err := gemini.EncodeResponse(chunk)
		if err == nil {
			err = writeServerSentEvent(out, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
