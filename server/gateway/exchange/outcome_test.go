package exchange_test

import (
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

func TestAnAttemptIsAnsweredByAStatusOfSuccessAndNoError(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[exchange.Attempt]bool{
		{}: false, {Status: 199}: false, {Status: 200}: true, {Status: 299}: true,
		{Status: 300}: false, {Status: 503}: false,
		{Status: 200, Err: "connection reset"}: false,
	} {
		if got := attempt.IsAnswered(); got != want {
			t.Errorf("%+v: %v", attempt, got)
		}
	}
}
