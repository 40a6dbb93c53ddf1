package clitest

import (
	"strings"
	"testing"
)

func TestACommandThatEndsIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	p, ended := launch(t, []string{"emulate", "--no-such-flag"})
	_, err := p.Stderr.find(`listening on (\S+)`, ended)
	if err == nil || !strings.Contains(err.Error(), "it has ended") ||
		!strings.Contains(err.Error(), "no-such-flag") {
		t.Errorf("%v; expected that it has ended, and what it wrote", err)
	}
}

func TestTheLastOutputOfACommandIsFound(t *testing.T) {
	t.Parallel()
	for range 20 { // whichever is seen first, the text or the end
		out, ended := new(Output), make(chan struct{})
		go func() {
			_, _ = out.Write([]byte("listening on there\n"))
			close(ended)
		}()
		if found, err := out.find(`listening on (\S+)`, ended); err != nil || found[1] != "there" {
			t.Fatalf("%q, %v", found, err)
		}
	}
}
