package money_test

import (
	"testing"

	"github.com/gemwire/gemwire/server/money"
)

func TestAmountsAreExactDecimals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]money.Nano{"0": 0, "5": 5_000_000_000, "0.1": 100_000_000,
		"12.50": 12_500_000_000, "0.000000001": 1, "1000000000": 1_000_000_000_000_000_000} {
		got, err := money.Parse(text)
		if err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
		again, err := money.Parse(got.String())
		if err != nil || again != want {
			t.Errorf("%q is written as %q, which is %d, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "-1", "1e3", ".5", "1.", "0.0000000001", "1000000001", "NaN",
		"99999999999999999999"} {
		if got, err := money.Parse(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
	var sum money.Nano
	for range 10 {
		sum += money.Of(0.1)
	}
	if sum.String() != "1" || money.Nano(-1_500_000_000).String() != "-1.5" {
		t.Errorf("ten times 0.1 is %v", sum)
	}
}
