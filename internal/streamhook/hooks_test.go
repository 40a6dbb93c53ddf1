package streamhook_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/streamhook"
)

func TestHooksAreTakenFromAContextOnce(t *testing.T) {
	t.Parallel()
	calls := 0
	ctx := streamhook.With(t.Context(), streamhook.Hooks{BeforeRead: func() { calls++ }})
	rest, hooks := streamhook.Take(ctx)
	if hooks.BeforeRead == nil {
		t.Fatal("the context has no hook")
	}
	if hooks.BeforeRead(); calls != 1 {
		t.Errorf("%d calls", calls)
	}
	if _, again := streamhook.Take(rest); again.BeforeRead != nil {
		t.Error("the hook is still in the context")
	}
}

func TestAContextWithoutHooksIsUnchanged(t *testing.T) {
	t.Parallel()
	ctx, hooks := streamhook.Take(t.Context())
	if ctx != t.Context() || hooks.BeforeRead != nil || hooks.Chunk != nil {
		t.Error(hooks)
	}
}
