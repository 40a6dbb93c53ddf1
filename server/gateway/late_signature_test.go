package gateway_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// lateSignature is a stream of two calls in pieces, whose signatures arrive after their ids, and
// the rest of the conversation.
func lateSignature(t testing.TB) *geminitest.Server {
	t.Helper()
	chunks := []geminitest.Block{
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"get_weather","partialArgs":[{"jsonPath":"$.city","stringValue":"Hu","willContinue":true}],"willContinue":true}}]}}]}`),
		geminitest.Chunk(`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"sum"}],"willContinue":true},"thoughtSignature":"Zmlyc3Q="}]}}]}`),
		geminitest.Chunk(`{"candidates":[{"content":{"parts":[{"functionCall":{}},{"functionCall":{"name":"get_time","id":"own","willContinue":true}}]}}]}`),
		geminitest.Chunk(`{"candidates":[{"content":{"parts":[{"functionCall":{},"thoughtSignature":"c2Vjb25k"}]},"finishReason":"STOP"}]}`),
	}
	return geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Turn(0)).Reply(chunks...).Unchecked().Times(9),
		geminitest.On(geminitest.Turn(1)).Reply(geminitest.Text("done")).Unchecked().Times(9),
	))
}

// The signature of a call may come in a later delta than the call (litellm#25322).
func TestSignatureAfterTheBeginningOfAStreamedCallComesBack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		mode            gateway.SignatureMode
		keepsExtensions bool
		want            []string
		wantExtension   bool
	}{
		{mode: gateway.SignaturesInBoth, want: []string{"Zmlyc3Q=", "c2Vjb25k"}, wantExtension: true},
		{mode: gateway.SignaturesInBoth, keepsExtensions: true, want: []string{"Zmlyc3Q=", "c2Vjb25k"}, wantExtension: true},
		{mode: gateway.SignaturesInIDs, want: []string{"Zmlyc3Q=", "c2Vjb25k"}},
		{mode: gateway.SignaturesInExtension, want: []string{sentinel, ""}, wantExtension: true},
	} {
		t.Run(fmt.Sprintf("%s, extensions kept %t", tc.mode, tc.keepsExtensions),
			func(t *testing.T) {
				t.Parallel()
				server := lateSignature(t)
				a := agent{handler: gatewayOf(t, server, gateway.WithSignatures(tc.mode)),
					streams: true, keepsExtensions: tc.keepsExtensions}
				if steps, answer := a.run(t, agentPrompt); !slices.Equal(steps, []int{2}) ||
					answer != "done" {
					t.Errorf("steps %v, answered %q", steps, answer)
				}
				if got := signaturesBack(server); !slices.Equal(got, tc.want) {
					t.Errorf("came back %q, expected %q", got, tc.want)
				}
				body := post(a.handler, chatPath, streamed(hello)).Body.String()
				if strings.Contains(body, "thought_signature") != tc.wantExtension {
					t.Errorf("in extensions: %t; %s", !tc.wantExtension, body)
				}
			})
	}
}

// The memory belongs to one replica, and has a limit. Without the memory, the extension keeps the
// signature.
func TestSignatureThatIsTooLargeForTheMemoryStaysInTheExtension(t *testing.T) {
	t.Parallel()
	server := lateSignature(t)
	handler := gatewayOf(t, server, gateway.WithSignatures(gateway.SignaturesInIDs),
		gateway.WithSignatureMemory(10, 10))
	for _, body := range []string{hello, streamed(hello)} {
		if answer := post(handler, chatPath, body).Body.String(); !strings.Contains(answer,
			`"thought_signature":"Zmlyc3Q="`) {
			t.Errorf("answered %s", answer)
		}
	}
}

// Both parts are in one chunk. The id is not sent yet, so it can carry the signature.
func TestSignatureInTheChunkOfItsIDIsInTheID(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Turn(0)).Reply(geminitest.Chunk(
			`{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"get_time","willContinue":true}},{"functionCall":{},"thoughtSignature":"Zmlyc3Q="}]},"finishReason":"STOP"}]}`)).Unchecked(),
		geminitest.On(geminitest.Turn(1)).Reply(geminitest.Text("done")).Unchecked()))
	a := agent{handler: gatewayOf(t, server, gateway.WithSignatureMemory(4096, 0)), streams: true}
	a.run(t, agentPrompt)
	if got := signaturesBack(server); !slices.Equal(got, []string{"Zmlyc3Q="}) {
		t.Errorf("came back %q", got)
	}
}
