//go:build !race

package reverse_test

import "testing"

// The race detector increases allocations.
func TestAShortAnswerTakesFewAllocations(t *testing.T) {
	body := textAnswer()
	n := testing.AllocsPerRun(100, func() {
		if _, err := bytesToBytes(body); err != nil {
			t.Fatal(err)
		}
	})
	if t.Logf("%v allocations", n); n > 28 {
		t.Errorf("%v allocations from bytes to bytes", n)
	}
}
