//go:build !race

package request_test

import "testing"

// The race detector increases allocations.
func TestARequestOfSixteenTurnsTakesFewAllocations(t *testing.T) {
	body := []byte(agentRequest(16))
	n := testing.AllocsPerRun(100, func() {
		if err := requestToRequest(body); err != nil {
			t.Fatal(err)
		}
	})
	if t.Logf("%v allocations", n); n > 260 {
		t.Errorf("%v allocations from bytes to bytes", n)
	}
}
