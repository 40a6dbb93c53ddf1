//go:build !race

package request_test

import "testing"

// The race detector increases allocations.
func TestARequestOfSixteenTurnsTakesFewAllocations(t *testing.T) {
	body := []byte(conversationOf(16))
	n := testing.AllocsPerRun(100, func() {
		if _, _, err := geminiRequest(body); err != nil {
			t.Fatal(err)
		}
	})
	if t.Logf("%v allocations", n); n > 340 {
		t.Errorf("%v allocations from bytes to bytes", n)
	}
}
