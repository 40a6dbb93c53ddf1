package provider_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/provider"
)

func TestAProviderThatIsNotMadeSaysSo(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*provider.Provider{"nil": nil, "zero": new(provider.Provider),
		"no client": provider.New(nil)} {
		_, generated := p.Generate(t.Context(), said)
		_, requested := p.StartRequest(t.Context(), said, nil)
		_, started := p.StartStream(t.Context(), said, nil, nil)
		errs := []error{generated, requested, started}
		for event := range p.Stream(t.Context(), said) {
			errs = append(errs, event.Error)
		}
		if len(errs) != 4 {
			t.Errorf("%s: %d errors", name, len(errs))
		}
		for _, err := range errs {
			if err == nil ||
				!strings.Contains(err.Error(), "the provider was not made by New with a client") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if zero := new(provider.Provider); zero.Poll() != 0 || zero.Running() != 0 {
		t.Error("a zero provider has calls")
	}
}
