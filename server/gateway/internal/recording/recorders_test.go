package recording_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/recording"
	"github.com/google/go-cmp/cmp"
)

// notes is an observer and a recorder that writes down all reports.
type notes struct {
	exchange.Recorder
	wantsBodies bool
	lines       []string
	reports     []report.Report
	signatures  []exchange.Signature
}

func (n *notes) Begin(exchange.Start) exchange.Recorder { return n }
func (n *notes) WantsBodies() bool                      { return n.wantsBodies }

func (n *notes) Request(side exchange.Side, r exchange.Request) {
	n.lines = append(n.lines, fmt.Sprintf("%s request %s %s", side, r.Method, r.Body))
}

func (n *notes) Response(side exchange.Side, r exchange.Response) {
	n.lines = append(n.lines, fmt.Sprintf("%s response %d %s", side, r.Status, r.Body))
}

func (n *notes) Chunk(side exchange.Side, data []byte) {
	n.lines = append(n.lines, fmt.Sprintf("%s chunk %s", side, data))
}

func (n *notes) Signature(s exchange.Signature)              { n.signatures = append(n.signatures, s) }
func (n *notes) Report(_ exchange.Side, entry report.Report) { n.reports = append(n.reports, entry) }

// recorded returns recorders, and the notes of their reports.
func recorded(wantsBodies bool) (*recording.Recorders, *notes) {
	told := &notes{wantsBodies: wantsBodies}
	recorders := &recording.Recorders{}
	recorders.Begin([]exchange.Observer{told}, func() exchange.Start { return exchange.Start{} })
	return recorders, told
}

func TestObserversAreAskedOnceForARecorder(t *testing.T) {
	t.Parallel()
	recorders := &recording.Recorders{}
	never := func() exchange.Start { t.Error("a start is made without an observer"); return exchange.Start{} }
	recorders.Begin(nil, never)
	if !recorders.IsEmpty() || recorders.WantsBodies() {
		t.Error("recorders without an observer are not empty")
	}
	told := &notes{}
	recorders.Begin([]exchange.Observer{told}, func() exchange.Start { return exchange.Start{} })
	if recorders.IsEmpty() || recorders.WantsBodies() {
		t.Error("an observer that wants no bodies is not asked, or gets bodies")
	}
	recorders.Begin([]exchange.Observer{told}, never)
}

func TestSecretsAreBlankedInPointersAndDetailsOfAReport(t *testing.T) {
	t.Parallel()
	const secret = "sk-hidden-hidden"
	recorders, told := recorded(false)
	recorders.Secrets.Add(secret)
	original := report.Report{
		{Pointer: "/a", Detail: "plain"},
		{Pointer: "/" + secret, Detail: "plain"},
		{Pointer: "/c", Detail: "it has " + secret},
		{Pointer: "/" + secret, Detail: secret},
		{Pointer: "/e", Detail: "plain"},
	}
	given := slices.Clone(original)
	recorders.Report(exchange.Client, given)
	if diff := cmp.Diff(original, given); diff != "" {
		t.Errorf("the report of the caller was changed (- want, + got):\n%s", diff)
	}
	got := told.reports[0]
	for i, entry := range got {
		if strings.Contains(entry.Pointer+entry.Detail, "hidden") {
			t.Errorf("entry %d has the secret: %+v", i, entry)
		}
		if !strings.Contains(original[i].Pointer, secret) && entry.Pointer != original[i].Pointer ||
			!strings.Contains(original[i].Detail, secret) && entry.Detail != original[i].Detail {
			t.Errorf("entry %d without a secret is %+v", i, entry)
		}
	}
	if len(got) != len(original) {
		t.Errorf("got %d entries, want %d", len(got), len(original))
	}
}

// answering returns a client whose requests have a reply, or an error.
func answering(t *testing.T, status int, body string, err error) *gemini.Client {
	t.Helper()
	client, wrong := gemini.NewClient(gemini.WithAPIKey("key"), gemini.WithMaxAttempts(1),
		gemini.WithHTTPClient(gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Request: r,
				Header: http.Header{"Content-Type": {"application/json"}},
				Body:   io.NopCloser(strings.NewReader(body))}, err
		})))
	if wrong != nil {
		t.Fatal(wrong)
	}
	return client
}

const answer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello."}]},` +
	`"finishReason":"STOP","index":0}]}`

const refusal = `{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}`

func question() *geminiapi.GenerateContentRequest {
	text := "Hi."
	return &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{
		{Parts: []geminiapi.Part{{Text: &text}}},
	}}
}

func TestRequestsAndAnswersOfGeminiAreRecordedOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		isBetween bool
		status    int
		body      string
		err       error
		want      string
	}{
		"an answer":              {false, 200, answer, nil, "upstream response 200 " + answer},
		"a refusal":              {false, 400, refusal, nil, "upstream response 400 " + refusal},
		"no connection":          {false, 0, "", errors.New("no route"), ""},
		"an answer in between":   {true, 200, answer, nil, "between response 200 " + answer},
		"a server's error alone": {false, 500, "oops", nil, "upstream response 500 oops"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recorders, told := recorded(true)
			recorders.IsBetween = test.isBetween
			opts, ended := recorders.Captured(false, nil)
			_, err := answering(t, test.status, test.body, test.err).
				GenerateContent(t.Context(), question(), append(opts, gemini.WithModel("m"))...)
			ended(err)
			if len(told.lines) == 0 || !strings.Contains(told.lines[0], ` request POST {"`) ||
				!strings.Contains(told.lines[0], `"text":"Hi."`) {
				t.Fatalf("the request is not recorded with its body: %q", told.lines)
			}
			if got := strings.Join(told.lines[1:], "\n"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// The head of a stream is recorded when it arrives. Its body is recorded chunk by chunk.
func TestAStreamIsRecordedByItsHeadAndItsChunks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		want   []string
	}{
		"a stream": {200, "data: " + answer + "\n\n", []string{
			"upstream response 200 ", "upstream chunk {}",
		}},
		"a refusal": {400, refusal, []string{"upstream response 400 " + refusal}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recorders, told := recorded(true)
			opts, ended := recorders.Captured(true, nil)
			hook := recorders.ChunkHook()
			var err error
			opts = append(opts, gemini.WithModel("m"))
			for _, failure := range answering(t, test.status, test.body, nil).
				StreamGenerateContent(t.Context(), question(), opts...) {
				if err = failure; err == nil {
					hook([]byte("{}"))
				}
			}
			ended(err)
			if diff := cmp.Diff(test.want, told.lines[min(1, len(told.lines)):]); diff != "" {
				t.Errorf("recorded (- want, + got):\n%s", diff)
			}
		})
	}
}

func TestNothingIsCapturedForThoseThatWantNoBodies(t *testing.T) {
	t.Parallel()
	recorders, told := recorded(false)
	opts, ended := recorders.Captured(false, nil)
	ended(errors.New("no"))
	if len(opts) != 0 || recorders.ChunkHook() != nil || len(told.lines) != 0 {
		t.Errorf("got %d options, %q", len(opts), told.lines)
	}
}

func TestSignaturesAreRecordedWithTheirPlaceAndCarrier(t *testing.T) {
	t.Parallel()
	signed := func(signature string) geminiapi.Part {
		return geminiapi.Part{ThoughtSignature: &signature}
	}
	parts := []geminiapi.Part{{}, signed(""), signed("abcd"), signed(request.UnsignedCall)}
	carrier := func(exchange.Side, *geminiapi.Part) exchange.Carrier { return exchange.CarrierMemory }
	want := func(side exchange.Side, place string) []exchange.Signature {
		return []exchange.Signature{
			{Side: side, Pointer: place + "/parts/2/thoughtSignature",
				Carrier: exchange.CarrierMemory, Size: 4},
			{Side: side, Pointer: place + "/parts/3/thoughtSignature",
				Carrier: exchange.CarrierSentinel, Size: len(request.UnsignedCall)},
		}
	}
	for _, wantsBodies := range []bool{true, false} {
		recorders, told := recorded(wantsBodies)
		recorders.ReturnedSignatures(&geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{
			{}, {Parts: parts},
		}}, carrier)
		returned := told.signatures
		told.signatures = nil
		recorders.GivenSignatures("/1", &geminiapi.GenerateContentResponse{
			Candidates: []geminiapi.Candidate{{}, {Content: &geminiapi.Content{Parts: parts}}},
		}, carrier)
		if !wantsBodies {
			if len(returned)+len(told.signatures) != 0 {
				t.Errorf("recorded %v and %v for those that want no bodies", returned, told.signatures)
			}
			continue
		}
		if diff := cmp.Diff(want(exchange.Client, "/contents/1"), returned); diff != "" {
			t.Errorf("returned (- want, + got):\n%s", diff)
		}
		given := want(exchange.Upstream, "/1/candidates/1/content")
		if diff := cmp.Diff(given, told.signatures); diff != "" {
			t.Errorf("given (- want, + got):\n%s", diff)
		}
	}
}
