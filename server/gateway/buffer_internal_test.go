package gateway

import "testing"

// Without this, the next user of the buffer, such as a stream with small chunks, would hold the
// memory of a large body.
func TestOnlySmallBuffersAreUsedAgain(t *testing.T) {
	large := &buffer{data: make([]byte, 10, largestBuffer+1)}
	large.release()
	for range 10 {
		if takeBuffer() == large {
			t.Fatal("a large buffer is used again")
		}
	}
	if len(large.data) != 10 {
		t.Error("a buffer that is not kept was emptied")
	}
	small := &buffer{data: make([]byte, 10, largestBuffer)}
	if small.release(); len(small.data) != 0 {
		t.Errorf("a buffer for others holds %d bytes", len(small.data))
	}
}
