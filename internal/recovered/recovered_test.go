package recovered_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/recovered"
)

func TestCallMakesAnErrorOfAPanic(t *testing.T) {
	t.Parallel()
	var none []int
	tests := map[string]struct {
		f    func() error
		want string
	}{
		"a runtime error": {func() error { _ = none[1]; return nil }, "panic: runtime error: index out of range [1] with length 0"},
		"a text":          {func() error { panic("the key is k") }, "panic with a value of type string"},
		"an error":        {func() error { panic(io.ErrClosedPipe) }, "panic with a value of type *errors.errorString"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := recovered.Call(test.f)
			fault, ok := errors.AsType[*recovered.PanicError](err)
			if !ok || err.Error() != test.want ||
				!strings.Contains(string(fault.Stack), "recovered_test") {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
	if err := recovered.Call(func() error { panic(io.ErrClosedPipe) }); !errors.Is(err,
		io.ErrClosedPipe) {
		t.Errorf("%v hides its cause", err)
	}
}

func TestCallReturnsWhatTheFunctionReturns(t *testing.T) {
	t.Parallel()
	if err := recovered.Call(func() error { return io.EOF }); err != io.EOF {
		t.Error(err)
	}
	if err := recovered.Call(func() error { return nil }); err != nil {
		t.Error(err)
	}
}
