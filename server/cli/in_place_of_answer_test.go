package cli_test

import (
	"strings"
	"testing"
)

func TestErrorsAndCountsAreNotConvertedAsAnswers(t *testing.T) {
	t.Parallel()
	targets := map[string][]string{
		"gemini-response":    {"gemini-response", "normalized", "openai-response", "responses-response", "messages-response"},
		"openai-response":    {"openai-response", "gemini-response"},
		"responses-response": {"responses-response"},
		"messages-response":  {"messages-response"},
	}
	const failed, counted = "gemwire: -: not an answer but an error: ",
		"gemwire: -: not an answer but a count of tokens: "
	for document, want := range map[string]string{
		`{"error":{"message":"No such model.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`: failed +
			"invalid_request_error: No such model.",
		`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`: failed +
			"overloaded_error: Overloaded",
		`{"error":{"code":429,"message":"Slow down.","status":"RESOURCE_EXHAUSTED"}}`: failed +
			"Slow down.",
		`{"detail":"Not Found"}`:                               failed + "Not Found",
		`{"input_tokens":14}`:                                  counted + "14",
		`{"object":"response.input_tokens","input_tokens":11}`: counted + "11",
		`{"totalTokens":31,"promptTokensDetails":[{"modality":"TEXT","tokenCount":31}]}`: counted +
			"31",
	} {
		for from, all := range targets {
			if from == "gemini-response" && strings.Contains(document, `"error"`) {
				continue // which that format has
			}
			for _, to := range all {
				if got := convert(t, document, from, to); got.code != 1 || got.stdout != "" ||
					got.stderr != want+"\n" {
					t.Errorf("%s as %s to %s: %+v", document, from, to, got)
				}
			}
		}
	}
}

func TestObjectsThatAreNoAnswersGetNoInventedMembers(t *testing.T) {
	t.Parallel()
	for format, member := range map[string]string{"openai-response": "choices",
		"responses-response": "output", "messages-response": "content"} {
		for _, document := range []string{
			`{}`, `{"object":"list","data":[]}`, `{"data":[{"id":"m","object":"model"}]}`,
			`{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5]}],"model":"m","usage":{"prompt_tokens":1,"total_tokens":1}}`,
			`{"id":"resp_1","object":"response.deleted","deleted":true}`,
		} {
			got := convert(t, document, format, format)
			if want := "gemwire: -: not an answer: it has no member " + member +
				"\n"; got.code != 1 || got.stdout != "" || got.stderr != want {
				t.Errorf("%s as %s: %+v", document, format, got)
			}
		}
	}
}

// A failed answer has an error in addition to the members of an answer.
func TestAnswersWithAnErrorAreConverted(t *testing.T) {
	t.Parallel()
	for format, document := range map[string]string{
		"responses-response": `{"id":"resp_1","object":"response","created_at":1,"status":"failed","model":"m","error":{"code":"server_error","message":"Broken."}}`,
		"openai-response":    `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"input_tokens":3}`,
		"messages-response":  `{"id":"msg_1","type":"message","error":{"message":"Broken."}}`,
		"gemini-response":    `{"promptFeedback":{"blockReason":"SAFETY"},"totalTokens":3}`,
	} {
		if got := convert(t, document, format, format); got.code != 0 || got.stderr != "" {
			t.Errorf("%s: %+v", format, got)
		}
	}
}

// An error object in place of a stream has no type. It becomes the event that reports it.
func TestErrorsInPlaceOfAStreamAreWrittenAsEvents(t *testing.T) {
	t.Parallel()
	const body = `{"error":{"message":"Slow down.","type":"rate_limit_error","param":"input","code":"busy"}}`
	for format, want := range map[string]string{
		"openai-stream": `data: {"error":{"message":"Slow down.","type":"rate_limit_error","param":"input","code":"busy"}}`,
		"responses-stream": "event: error\n" +
			`data: {"type":"error","sequence_number":0,"code":"busy","message":"Slow down.","param":"input",` +
			`"error":{"type":"rate_limit_error","code":"busy","message":"Slow down.","param":"input"}}`,
		"messages-stream": "event: error\n" +
			`data: {"type":"error","error":{"type":"rate_limit_error","message":"Slow down.","param":"input","code":"busy"}}`,
	} {
		for _, document := range []string{body, "data: " + body + "\n\n"} {
			got := convert(t, document, format, format)
			if got.code != 0 || got.stdout != want+"\n\n" {
				t.Errorf("%s: %+v, want %s", format, got, want)
			}
			if again := convert(t, got.stdout, format, format); again.stdout != got.stdout {
				t.Errorf("%s again: %+v", format, again)
			}
		}
	}
}
