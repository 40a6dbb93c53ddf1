package cli

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
)

// decodeGeminiResponse decodes a valid response. If the API sent an error instead, it returns a
// *replyError. It also accepts the list in which the stream endpoint sends an error.
func (t *tables) decodeGeminiResponse(data []byte) (*geminiapi.GenerateContentResponse,
	report.Report, error) {
	response, report, err := answers(t, "", forgive)(data)
	if err == nil && !gemini.IsError(response) {
		return response, report, nil
	}
	if reply := gemini.DecodeError(0, nil, data); err == nil || reply.FromAPI() {
		return nil, nil, &replyError{reply}
	}
	return nil, nil, err
}

// forgive decodes a response or an error. It ignores members with a wrong type, as readers of
// streams do.
func forgive(data []byte) (*geminiapi.GenerateContentResponse, report.Report, error) {
	response, ignored, err := gemini.DecodeForgiving(data)
	entries := report.ReplacedText("", data)
	for _, pointer := range ignored {
		entries.Add(report.Lost, pointer, "wrong type, treated as absent")
	}
	return response, entries, err
}

// replyError is an error that the API sends instead of an answer, or in the middle of a stream.
type replyError struct{ reply *gemini.Error }

func (e *replyError) Error() string { return e.Reason() }
func (e *replyError) Unwrap() error { return e.reply }

// Location returns the location of the whole input, because the error has no narrower one.
func (e *replyError) Location() (pointer string, offset int64) { return "", -1 }

// Reason returns the API's own message.
func (e *replyError) Reason() string { return notAnAnswer + e.reply.Summary() }

const notAnAnswer = "not an answer but an error: "

func checkGeminiRequest(request *geminiapi.GenerateContentRequest, to target) error {
	backend := gemini.ForGeminiAPI()
	if to.vertex {
		backend = gemini.ForVertexAI()
	}
	return gemini.ValidateRequest(request, gemini.ForModel(to.model), backend)
}
