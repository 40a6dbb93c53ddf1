package quota_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/quota"
)

func TestBudgetsAreParsed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"5USD/month": "5 USD per month",
		"12.50 EUR/day": "12.5 EUR per day", "0USD/total": "0 USD in total"} {
		if b, err := quota.ParseMoney(text); err != nil || b.MoneyText() != want {
			t.Errorf("%q: %q, %v", text, b.MoneyText(), err)
		}
	}
	for _, text := range []string{"", "5", "5USD", "USD/month", "5/month", "5usd/month",
		"5USD/year", "-5USD/day", "5USD/minute"} {
		if b, err := quota.ParseMoney(text); err == nil ||
			!strings.HasSuffix(err.Error(), " 5USD/month, per day, week, month or total") {
			t.Errorf("%q: %+v, %v", text, b, err)
		}
	}
	if b, err := quota.ParseTokens("1000000/week"); err != nil ||
		b.TokenText() != "1000000 tokens per week" {
		t.Errorf("%+v, %v", b, err)
	}
	for _, text := range []string{"", "5", "0/day", "-1/day", "1.5/day", "5/now"} {
		if b, err := quota.ParseTokens(text); err == nil ||
			!strings.HasSuffix(err.Error(), " 1000000/day, per day, week, month or total") {
			t.Errorf("%q: %+v, %v", text, b, err)
		}
	}
}
