package gemini_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// hop is a reply of a server that sends an answer in several replies.
type hop struct {
	chunks  []string
	isCut   bool // the connection breaks after the chunks
	status  int  // of an error in place of the reply
	message string
}

// chunkOf is a chunk with a text and, unless they are "", a token and a finish reason.
func chunkOf(text, token, reason string) string {
	members := fmt.Sprintf(`"content":{"role":"model","parts":[{"text":%q}]}`, text)
	if token != "" {
		members += fmt.Sprintf(`,"continuationToken":%q`, token)
	}
	if reason != "" {
		members += fmt.Sprintf(`,"finishReason":%q`, reason)
	}
	return `{"candidates":[{` + members + `}]}`
}

// thoughtOf is a chunk with a thought.
func thoughtOf(text string) string {
	return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%q,"thought":true}]}}]}`,
		text)
}

// continuing is a Doer that answers with its replies in order, and repeats the last one.
type continuing struct {
	list   []hop
	tokens []string // that were sent
}

func (r *continuing) Do(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	asked, err := gemini.DecodeRequest(body)
	if err != nil {
		return nil, err
	}
	r.tokens = append(r.tokens, jsonx.Deref(asked.ContinuationToken))
	now := r.list[min(len(r.tokens), len(r.list))-1]
	if now.status != 0 {
		return httpReply(now.status, "application/json",
			fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":"X"}}`, now.status,
				now.message)), nil
	}
	var events strings.Builder
	for _, chunk := range now.chunks {
		events.WriteString("data: " + chunk + "\r\n\r\n")
	}
	out := httpReply(200, "text/event-stream", events.String())
	if now.isCut {
		out.Body = io.NopCloser(io.MultiReader(strings.NewReader(events.String()), broken{}))
	}
	return out, nil
}

// broken is a connection that broke.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestAStreamContinuesOverItsReplies(t *testing.T) {
	t.Parallel()
	const broke, refused = "broke", "refused"
	call := func(token string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},"continuationToken":"` +
			token + `","finishReason":"CONTINUATION"}]}`
	}
	const bareCall = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}}]}`
	const signed = `{"candidates":[{"content":{"role":"model","parts":[{"text":"b","thoughtSignature":"cw=="}]},"finishReason":"STOP"}]}`
	feedback := `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"continuationToken":"t1","finishReason":"CONTINUATION"}],"promptFeedback":{"safetyRatings":[]}}`
	refusal := hop{status: 400, message: "no"}
	for name, tt := range map[string]struct {
		replies []hop
		opts    []gemini.ClientOption
		text    string // with (f) for a call and <a> for a thought
		tokens  string // that were sent
		end     string // the finish reason of the last chunk, broke or refused
		left    string // the token that the last chunk still has
	}{
		"one reply":              {replies: []hop{{chunks: []string{chunkOf("a", "", "STOP")}}}, text: "a", tokens: "", end: "STOP"},
		"one reply with a token": {replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("b", "", "STOP")}}}, text: "ab", tokens: "", end: "STOP"},
		"two replies":            {replies: []hop{{chunks: []string{chunkOf("a", "t1", "CONTINUATION")}}, {chunks: []string{chunkOf("b", "", "STOP")}}}, text: "ab", tokens: " t1", end: "STOP"},
		"a token before the end": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""),
				chunkOf("b", "t2", "CONTINUATION")}},
				{chunks: []string{chunkOf("c", "", "MAX_TOKENS")}}},
			text: "abc", tokens: " t2", end: "MAX_TOKENS",
		},
		"a call over the boundary": {replies: []hop{{chunks: []string{chunkOf("a", "", ""), call("t1")}}, {chunks: []string{bareCall, chunkOf("b", "", "STOP")}}}, text: "a(f)(f)b", tokens: " t1", end: "STOP"},
		"the token that it began with": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "CONTINUATION")}},
				{chunks: []string{chunkOf("b", "t1", "CONTINUATION")}}},
			text: "ab", tokens: " t1", end: "CONTINUATION", left: "t1",
		},
		"more replies than the limit": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "CONTINUATION")}},
				{chunks: []string{chunkOf("b", "t2", "CONTINUATION")}}},
			opts: []gemini.ClientOption{gemini.WithContinuation(1)}, text: "ab", tokens: " t1",
			end: "CONTINUATION", left: "t2",
		},
		"feedback on the prompt": {replies: []hop{{chunks: []string{feedback}}}, text: "a", tokens: "", end: "CONTINUATION", left: "t1"},
		"broken after a checkpoint": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "")}, isCut: true},
				{chunks: []string{chunkOf("b", "", "STOP")}}}, text: "ab", tokens: " t1",
			end: "STOP",
		},
		"ended after a checkpoint": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "")}},
				{chunks: []string{chunkOf("b", "", "STOP")}}}, text: "ab", tokens: " t1",
			end: "STOP",
		},
		"an error after a checkpoint": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""),
				`{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`}},
				{chunks: []string{chunkOf("b", "", "STOP")}}},
			text: "ab", tokens: " t1", end: "STOP",
		},
		"an error that stays": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""),
				`{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}`}}}, text: "a",
			tokens: "", end: refused,
		},
		"broken without a checkpoint": {replies: []hop{{chunks: []string{chunkOf("a", "", "")}, isCut: true}}, text: "a", tokens: "", end: broke},
		"text after the checkpoint comes again": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("bc", "", ""),
				chunkOf("d", "", "")}, isCut: true},
				{chunks: []string{chunkOf("b", "", ""), chunkOf("cde", "", "STOP")}}},
			text: "abcde", tokens: " t1", end: "STOP",
		},
		"another text comes": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("bc", "", "")},
				isCut: true}, {chunks: []string{chunkOf("x", "", "STOP")}}},
			text: "abc", tokens: " t1", end: broke,
		},
		"a call after the checkpoint is not repeated": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), bareCall}, isCut: true},
				{chunks: []string{bareCall, chunkOf("", "", "STOP")}}}, text: "a(f)", tokens: "",
			end: broke,
		},
		"broken again and again": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "")}, isCut: true}, {isCut: true}},
			text:    "a", tokens: " t1 t1 t1 t1", end: broke,
		},
		"broken, and then continued": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "")}, isCut: true}, {isCut: true},
				{isCut: true}, {chunks: []string{chunkOf("b", "", "STOP")}}},
			text: "ab", tokens: " t1 t1 t1", end: "STOP",
		},
		"broken again after another checkpoint": {
			replies: []hop{
				{chunks: []string{chunkOf("a", "t1", "")}, isCut: true}, {isCut: true}, {isCut: true}, {chunks: []string{chunkOf("b", "t2", "")}, isCut: true},
				{isCut: true}, {isCut: true}, {isCut: true}, {chunks: []string{chunkOf("c", "", "STOP")}},
			},
			text: "abc", tokens: " t1 t1 t1 t2 t2 t2 t2", end: "STOP",
		},
		"broken again, more often than the limit": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "")}, isCut: true}, {isCut: true}},
			opts:    []gemini.ClientOption{gemini.WithContinuation(2)},
			text:    "a", tokens: " t1 t1", end: broke,
		},
		"broken again after new text": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", "")}, isCut: true},
				{chunks: []string{chunkOf("b", "", "")}, isCut: true}}, text: "ab", tokens: " t1",
			end: broke,
		},
		"broken after the end":       {replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("b", "", "STOP")}, isCut: true}}, text: "ab", tokens: "", end: broke},
		"broken after feedback":      {replies: []hop{{chunks: []string{feedback}, isCut: true}}, text: "a", tokens: "", end: broke, left: "t1"},
		"a checkpoint at the end":    {replies: []hop{{chunks: []string{chunkOf("a", "t1", "STOP")}}}, text: "a", tokens: "", end: "STOP", left: "t1"},
		"text before the checkpoint": {replies: []hop{{chunks: []string{chunkOf("a", "", ""), chunkOf("b", "t1", "")}, isCut: true}, {chunks: []string{chunkOf("ab", "", "STOP")}}}, text: "abab", tokens: " t1", end: "STOP"},
		"another text comes after an end without a reason": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("b", "", "")}},
				{chunks: []string{chunkOf("x", "", "STOP")}}}, text: "ab", tokens: " t1",
			end: broke,
		},
		"thoughts and text come again": {
			replies: []hop{
				{chunks: []string{chunkOf("a", "t1", ""), thoughtOf("x"), thoughtOf("y"), chunkOf("b", "", "")}, isCut: true},
				{chunks: []string{thoughtOf("xy"), chunkOf("", "", ""), chunkOf("bc", "", "STOP")}},
			},
			text: "a<x><y>bc", tokens: " t1", end: "STOP",
		},
		"a thought comes as a text": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), thoughtOf("x")}, isCut: true},
				{chunks: []string{chunkOf("x", "", "STOP")}}}, text: "a<x>", tokens: " t1",
			end: broke,
		},
		"the text comes again with a signature": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("b", "", "")},
				isCut: true}, {chunks: []string{signed}}}, text: "ab", tokens: " t1", end: broke,
		},
		"a call comes in place of the text": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("b", "", "")},
				isCut: true}, {chunks: []string{bareCall}}}, text: "ab", tokens: " t1", end: broke,
		},
		"a call comes after the text": {
			replies: []hop{{chunks: []string{chunkOf("a", "t1", ""), chunkOf("b", "", "")},
				isCut: true},
				{chunks: []string{chunkOf("b", "", ""), bareCall, chunkOf("c", "", "STOP")}}},
			text: "ab(f)c", tokens: " t1", end: "STOP",
		},
		"refused at a later reply": {replies: []hop{{chunks: []string{chunkOf("a", "t1", "CONTINUATION")}}, refusal}, text: "a", tokens: " t1", end: refused},
		"busy at a later reply":    {replies: []hop{{chunks: []string{chunkOf("a", "t1", "CONTINUATION")}}, {status: 503, message: "busy"}}, text: "a", tokens: " t1", end: refused},
	} {
		server := &continuing{list: tt.replies}
		client := newClient(t,
			append([]gemini.ClientOption{gemini.WithHTTPClient(server), gemini.WithMaxAttempts(1)},
				tt.opts...)...)
		text, end, left := "", "", ""
		for chunk, err := range client.StreamGenerateContent(t.Context(),
			prompt("gemini-4-argon")) {
			if _, isReported := errors.AsType[*gemini.Error](err); isReported {
				end = refused
			} else if err != nil {
				end = broke
			}
			if err != nil {
				break
			}
			if end != "" {
				t.Errorf("%s: a chunk follows the end %s", name, end)
			}
			c := chunk.Candidates[0]
			end, left = string(jsonx.Deref(c.FinishReason)), jsonx.Deref(c.ContinuationToken)
			for _, part := range c.Content.Parts {
				if part.FunctionCall != nil {
					text += "(f)"
				}
				said := jsonx.Deref(part.Text)
				if said != "" && jsonx.Deref(part.Thought) {
					said = "<" + said + ">"
				}
				text += said
			}
		}
		got := []string{text, strings.Join(server.tokens, " "), end, left}
		if diff := cmp.Diff([]string{tt.text, tt.tokens, tt.end, tt.left}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestChunksOfSeveralRepliesHaveOneIDAndTheTokensOfAll(t *testing.T) {
	t.Parallel()
	chunk := func(id string, total int, rest string) string {
		return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}%s}],"responseId":%q,"usageMetadata":{"promptTokenCount":5,"totalTokenCount":%d}}`,
			rest, id, total)
	}
	server := &continuing{list: []hop{
		{chunks: []string{chunk("r1", 6, ""), chunk("r1", 7, `,"continuationToken":"t1","finishReason":"CONTINUATION"`)}},
		{chunks: []string{chunk("r2", 6, ""), chunk("r2", 8, `,"finishReason":"STOP"`)}},
	}}
	for _, opts := range [][]gemini.StreamOption{nil, {gemini.WithReusedChunks()}} {
		server.tokens = nil
		var totals []int
		var last *geminiapi.UsageMetadata
		client := newClient(t, gemini.WithHTTPClient(server), gemini.WithStreamOptions(opts...))
		for chunk, err := range client.StreamGenerateContent(t.Context(),
			prompt("gemini-4-argon")) {
			if err != nil {
				t.Fatal(err)
			}
			if *chunk.ResponseID != "r1" {
				t.Errorf("a chunk of the answer %s", *chunk.ResponseID)
			}
			last = chunk.UsageMetadata
			totals = append(totals, *last.TotalTokenCount)
		}
		if diff := cmp.Diff([]int{6, 7, 13, 15}, totals); diff != "" ||
			*last.PromptTokenCount != 10 || *last.InitialPromptTokenCount != 5 {
			t.Error(diff, last)
		}
	}
}

func TestALargeRequestIsReleasedUnlessItMayBeSentAgain(t *testing.T) {
	t.Parallel()
	const end = "CONTINUATION"
	for model, want := range map[string]int{"gemini-4-argon": 2, "gemini-3.6-flash": 1} {
		server := &continuing{list: []hop{{chunks: []string{chunkOf("a", "t1", end)}},
			{chunks: []string{chunkOf("b", "", "STOP")}}}}
		request := prompt(model)
		request.Contents[0] = gemini.UserText(strings.Repeat("a", 20<<10))
		for _, err := range newClient(t,
			gemini.WithHTTPClient(server)).StreamGenerateContent(t.Context(), request) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(server.tokens) != want {
			t.Errorf("%s: %d requests, want %d", model, len(server.tokens), want)
		}
	}
}

func TestALargeRequestOfAnyModelIsSentAgainWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	server := &continuing{list: []hop{{chunks: []string{chunkOf("a", "t1", "CONTINUATION")}},
		{chunks: []string{chunkOf("b", "", "STOP")}}}}
	request := prompt("gemini-3.6-flash")
	request.Contents[0] = gemini.UserText(strings.Repeat("a", 20<<10))
	client := newClient(t, gemini.WithHTTPClient(server), gemini.WithContinuation(5))
	for _, err := range client.StreamGenerateContent(t.Context(), request) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(server.tokens) != 2 {
		t.Errorf("%d requests", len(server.tokens))
	}
}

func TestAStreamThatIsContinuedByHandDoesNotRepeatItsToken(t *testing.T) {
	t.Parallel()
	server := &continuing{list: []hop{{chunks: []string{chunkOf("a", "t1", "CONTINUATION")}}}}
	request := prompt("gemini-4-argon")
	request.ContinuationToken = new("t1")
	left := ""
	for chunk, err := range newClient(t,
		gemini.WithHTTPClient(server)).StreamGenerateContent(t.Context(), request) {
		if err != nil {
			t.Fatal(err)
		}
		left = jsonx.Deref(chunk.Candidates[0].ContinuationToken)
	}
	if len(server.tokens) != 1 || left != "t1" {
		t.Errorf("the tokens %q were sent, and %q is left", server.tokens, left)
	}
}

func TestAnAnswerThatIsEndedByItsContextIsNotResumed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for name, pause := range map[string]time.Duration{"canceled": 0,
			"too late": 2 * time.Second} {
			server := &continuing{list: []hop{{chunks: []string{chunkOf("a", "t1", "")},
				isCut: true}, {chunks: []string{chunkOf("b", "", "STOP")}}}}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var last error
			for _, err := range newClient(t,
				gemini.WithHTTPClient(server)).StreamGenerateContent(ctx,
				prompt("gemini-4-argon")) {
				if time.Sleep(pause); pause == 0 {
					cancel()
				}
				last = err
			}
			if last == nil || len(server.tokens) != 1 {
				t.Errorf("%s: %v after %d requests", name, last, len(server.tokens))
			}
		}
	})
}

func TestAWholeAnswerWhoseRestFailsKeepsItsBeginning(t *testing.T) {
	t.Parallel()
	server := &recordingDoer{answers: []string{cutHere,
		`{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}`}}
	_, err := newClient(t, gemini.WithHTTPClient(server)).GenerateContent(t.Context(), prompt("m"))
	failed, ok := errors.AsType[*gemini.ContinuationError](err)
	if !ok || failed.Replies != 1 || *failed.Partial.Candidates[0].ContinuationToken != "t1" ||
		gemini.CategoryOf(err) != gemini.CategoryInvalidArg {
		t.Errorf("%+v", err)
	}
}

func TestAWholeAnswerThatNeverEndsIsLeft(t *testing.T) {
	t.Parallel()
	same := &recordingDoer{answers: []string{cutHere}}
	answer, err := newClient(t, gemini.WithHTTPClient(same)).GenerateContent(t.Context(),
		prompt("m"))
	if err != nil || len(same.requests) != 2 ||
		*answer.Candidates[0].FinishReason != geminiapi.FinishReasonContinuation {
		t.Errorf("%d requests, %v, %v", len(same.requests), answer, err)
	}
	server := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		return httpReply(200, "application/json",
			chunkOf("a", fmt.Sprint("t", len(body)), "CONTINUATION")), err
	})
	answer, err = newClient(t, gemini.WithHTTPClient(server),
		gemini.WithContinuation(3)).GenerateContent(t.Context(), prompt("m"))
	if err != nil || jsonx.Deref(answer.Candidates[0].ContinuationToken) == "" {
		t.Errorf("%v, %v", answer, err)
	}
}
