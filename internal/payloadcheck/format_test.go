package payloadcheck

import "testing"

func TestADurationIsANumberOfSeconds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"3s": true, "3.5s": true, "-3.5s": true, "0.123456789s": true,
		"": false, "s": false, "3": false, "3.s": false, ".5s": false, "--3s": false, "3.5": false,
		"1.5.5s": false, "0.1234567891s": false, "1e3s": false, "3 s": false,
	} {
		if _, _, got := FormatDuration.check(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}
