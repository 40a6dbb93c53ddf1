package gemini_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

func TestCheckRequestSaysWhatACallWouldRefuseAndSendsNothing(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{answer}}
	client := newClient(t, gemini.WithHTTPClient(server))
	notJSON := prompt("gemini-2.5-flash")
	notJSON.Unknown = jsontext.Value(`{"a":`)
	temperature := prompt("gemini-2.5-flash")
	temperature.GenerationConfig = &geminiapi.GenerationConfig{Temperature: new(9.0)}
	validating := []gemini.CallOption{gemini.WithRequestValidation()}
	tests := map[string]struct {
		request *geminiapi.GenerateContentRequest
		opts    []gemini.CallOption
		want    string // of the error, "" for none
	}{
		"a request that can be sent":            {prompt("gemini-2.5-flash"), nil, ""},
		"no model":                              {prompt(""), nil, "Model is required"},
		"the model of the call":                 {prompt(""), []gemini.CallOption{gemini.WithModel("gemini-2.5-flash")}, ""},
		"no request":                            {nil, nil, "Model is required"},
		"requests that the call itself refuses": {notJSON, nil, ""},
		"a request that is refused":             {temperature, validating, "/generationConfig/temperature"},
		"a request that is not checked":         {temperature, nil, ""},
		"an option that makes no sense":         {prompt("gemini-2.5-flash"), []gemini.CallOption{gemini.WithHeader("a b", "")}, "gemini"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := client.CheckRequest(test.request, test.opts...)
			if (err == nil) != (test.want == "") ||
				err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if test.want == "" {
				return
			}
			if _, sent := client.GenerateContent(t.Context(), test.request,
				test.opts...); sent == nil || sent.Error() != err.Error() {
				t.Errorf("the call says %v", sent)
			}
		})
	}
	t.Cleanup(func() {
		if len(server.requests) != 0 {
			t.Error("something was sent")
		}
	})
	if err := client.CheckRequest(prompt("")); !errors.Is(err, gemini.ErrModelRequired) {
		t.Error(err)
	}
}

func TestAClientWithMoreOptionsLeavesTheOtherAlone(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{answer}}
	client := newClient(t, gemini.WithHTTPClient(server), gemini.WithModel("gemini-2.5-pro"))
	other, err := client.With(gemini.WithModel("gemini-2.5-flash"),
		gemini.WithHeader("X-Team", "blue"))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []*gemini.Client{other, client} {
		if _, err := c.GenerateContent(t.Context(), prompt("")); err != nil {
			t.Fatal(err)
		}
		request := server.requests[i]
		isOther := c == other
		if strings.Contains(request.URL.Path, "gemini-2.5-flash") != isOther ||
			(request.Header.Get("X-Team") == "blue") != isOther {
			t.Errorf("%d: %s %v", i, request.URL.Path, request.Header)
		}
	}
	if _, err := client.With(gemini.WithBaseURL(":")); err == nil {
		t.Error("an option that makes no sense is taken")
	}
	if _, err := new(gemini.Client).With(); err == nil {
		t.Error("a client that was not made is taken")
	}
}
