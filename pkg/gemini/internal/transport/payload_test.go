package transport

import (
	"io"
	"testing"
)

func TestAPayloadIsReleasedAfterSending(t *testing.T) {
	t.Parallel()
	p := newPayload([]byte("request"))
	first, _ := p.open()
	begin := make([]byte, 3)
	if n, err := first.Read(begin); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	p.release() // of which only a part was sent
	if rest, err := io.ReadAll(first); string(rest) != "uest" || err != nil {
		t.Errorf("the rest is %q, %v", rest, err)
	}
	if again, _ := io.ReadAll(must(p.open())); string(again) != "request" {
		t.Errorf("read again as %q", again)
	}
	p.release()
	if p.data.Load() != nil {
		t.Error("what was sent is still held")
	}
	(*payload)(nil).release() // of a request without a body
}

func must(r io.ReadCloser, _ error) io.Reader { return r }
