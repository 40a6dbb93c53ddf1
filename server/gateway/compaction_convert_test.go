package gateway_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
)

func TestARequestForAShortConversationHasNoRequestForABatch(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, summarising(t, aSummary))
	in := &gateway.Request{Path: responsesPath, Body: []byte(compactBody(oldItems+trigger, ""))}
	if converted, err := handler.Convert(t.Context(), in); err != nil ||
		len(converted.Requests) != 0 {
		t.Errorf("%s, %v", converted.Requests, err)
	}
	answer, err := handler.Answer(t.Context(), in)
	if err != nil || !strings.Contains(string(answer.Body), `"type":"compaction"`) {
		t.Errorf("%s, %v", answer.Body, err)
	}
}
