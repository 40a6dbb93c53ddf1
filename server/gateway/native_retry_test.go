package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
)

// nativeArray is the path of a stream that is a JSON array.
var nativeArray, _, _ = strings.Cut(nativeSSE, "?")

// nativeWays are the paths of Google's own form that make answers.
var nativeWays = map[string]string{"whole": nativeWhole, "events": nativeSSE, "array": nativeArray}

func TestAModelIsCalledAgainWithTheSameBytesOfGooglesForm(t *testing.T) {
	t.Parallel()
	for what, bad := range map[string][]string{
		"a malformed call":          {malformedCall},
		"an empty answer":           {emptyStop},
		"an empty answer in chunks": {emptyBegin, emptyStop},
	} {
		for way, path := range nativeWays {
			if way == "whole" && len(bad) > 1 {
				continue
			}
			t.Run(what+", "+way, func(t *testing.T) {
				t.Parallel()
				var chunks []geminitest.Block
				for _, chunk := range bad {
					chunks = append(chunks, geminitest.Chunk(chunk))
				}
				server := geminitest.NewServer(t, geminitest.WithScript(
					geminitest.On().Reply(chunks...).Times(1),
					geminitest.On().Reply(geminitest.Chunk(usableReply))))
				d := &diary{wantsBodies: true}
				answer := post(gatewayOf(t, server, gateway.WithObserver(d),
					gateway.WithRateCard(ratecard.Google())), path, nativeHello)
				if body := answer.Body.String(); answer.Code != http.StatusOK ||
					!strings.Contains(body, "It rains.") || strings.Contains(body, "MALFORMED") ||
					strings.Count(body, `"candidates"`) != 1 {
					t.Fatalf("HTTP %d: %s", answer.Code, body)
				}
				asked := server.Requests()
				if len(asked) != 2 || string(asked[0].Body) != string(asked[1].Body) {
					t.Fatalf("%d calls, the last is %s", len(asked), asked[len(asked)-1].Body)
				}
				p := d.last()
				if len(p.attempts) != 2 || p.attempts[0].Err == "" || p.attempts[0].Status != 200 {
					t.Errorf("the attempts are %+v", p.attempts)
				}
				if u := p.end.Usage; u.InputTokens != 16 || u.OutputTokens != 3 ||
					p.end.Cost == nil || len(p.end.Cost.Lines) != 3 {
					t.Errorf("ended with %+v, cost %+v", u, p.end.Cost)
				}
				if got := p.told(); strings.Count(got, "upstream response") != 2 ||
					strings.Index(got, "client response") < strings.LastIndex(got, "upstream response") {
					t.Errorf("recorded %s", got)
				}
			})
		}
	}
}

func TestTheLastUnusableAnswerOfGooglesFormIsPassedOnAsItIs(t *testing.T) {
	t.Parallel()
	for name, bad := range map[string]string{"empty": emptyStop, "malformed": malformedCall} {
		for way, path := range nativeWays {
			for calls, opts := range map[int][]gateway.Option{
				2: nil, 1: {gateway.WithRetryMalformed(0)}, 4: {gateway.WithRetryMalformed(3)},
			} {
				server := geminitest.NewServer(t, geminitest.WithScript(
					geminitest.On().Reply(geminitest.Chunk(bad))))
				direct := geminitest.NewServer(t, geminitest.WithScript(
					geminitest.On().Reply(geminitest.Chunk(bad))))
				want := post(gatewayOf(t, direct, gateway.WithRetryMalformed(0)), path, nativeHello)
				answer := post(gatewayOf(t, server, opts...), path, nativeHello)
				if n := len(server.Requests()); answer.Code != http.StatusOK || n != calls ||
					answer.Body.String() != want.Body.String() {
					t.Errorf("%s, %s: HTTP %d after %d calls, want %d: %s", name, way, answer.Code,
						n, calls, answer.Body)
				}
			}
		}
	}
}

func TestAnEmptyAnswerOfGooglesFormCanBeRight(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a text that stops the model": `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],` +
			`"generationConfig":{"stopSequences":["END"]}}`,
		"the same in snake case": `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],` +
			`"generation_config":{"stop_sequences":["END"]}}`,
		"the model's own beginning": `{"contents":[{"role":"user","parts":[{"text":"hi"}]},` +
			`{"role":"model","parts":[{"text":"Good"}]}]}`,
	} {
		for way, path := range nativeWays {
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On().Reply(geminitest.Chunk(emptyStop))))
			answer := post(gatewayOf(t, server), path, body)
			if n := len(server.Requests()); answer.Code != http.StatusOK || n != 1 {
				t.Errorf("%s, %s: HTTP %d after %d calls", name, way, answer.Code, n)
			}
		}
	}
}

func TestAStreamOfGooglesFormThatHasBegunIsNotRepeated(t *testing.T) {
	t.Parallel()
	for _, path := range []string{nativeSSE, nativeArray} {
		server := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.Text("I look it up."), geminitest.Chunk(malformedCall))))
		answer := post(gatewayOf(t, server), path, nativeHello)
		if body := answer.Body.String(); len(server.Requests()) != 1 ||
			!strings.Contains(body, "MALFORMED_FUNCTION_CALL") {
			t.Errorf("%s: %d calls: %s", path, len(server.Requests()), body)
		}
	}
}

// A stream with content is not held back, and chunks without any come with the first content.
func TestAStreamOfGooglesFormBeginsWithItsFirstContent(t *testing.T) {
	t.Parallel()
	const silent = `{"candidates":[{"content":{"role":"model","parts":[{"text":""}]}}]}`
	for _, path := range []string{nativeSSE, nativeArray} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t, geminitest.WithScript(
				geminitest.On(geminitest.Prompt("hello")).Reply(geminitest.Chunk(silent),
					geminitest.Text("one "), geminitest.Pause(20*time.Second), geminitest.Text("two"))))
			d := &diary{}
			handler := gatewayOf(t, server, gateway.WithObserver(d),
				gateway.WithHeartbeat(gateway.HeartbeatOff, 0))
			answer := post(handler, path, nativeHello)
			body := answer.Body.String()
			wantInOrder(t, body, `"text": ""`, "one ", "two")
			if end := d.last().end; end.FirstToken >= 20*time.Second || end.Duration < 20*time.Second {
				t.Errorf("%s: began after %v of %v", path, end.FirstToken, end.Duration)
			}
		})
	}
}

// A server of chat_completions whose first answer is empty is asked again, too.
func TestAnEmptyAnswerOnTheWayBackIsAskedForAgain(t *testing.T) {
	t.Parallel()
	for path, empty := range map[string]*http.Response{
		gptPath: chatReply(200, strings.Replace(chatAnswer, "Hi there", "", 1)),
		strings.Replace(gptPath, ":generateContent", ":streamGenerateContent?alt=sse", 1): chatReply(200,
			strings.Replace(chatStream, "Hi there", "", 1), "Content-Type", "text/event-stream"),
	} {
		s, d := &chatServer{}, &diary{}
		s.answer = func(r *http.Request, body string) *http.Response {
			if len(s.bodies) == 1 {
				return empty
			}
			return s.answers(r, body)
		}
		answer := post(gatewayOfChat(t, s, gateway.WithObserver(d)), path, nativeHello)
		if answer.Code != http.StatusOK || len(s.bodies) != 2 || s.bodies[0] != s.bodies[1] ||
			strings.Count(answer.Body.String(), "Hi there") != 1 {
			t.Errorf("%s: HTTP %d after %d calls: %s", path, answer.Code, len(s.bodies), answer.Body)
		}
		if u := d.last().end.Usage; u.TotalTokens != 14 {
			t.Errorf("%s: ended with %+v", path, u)
		}
	}
}
