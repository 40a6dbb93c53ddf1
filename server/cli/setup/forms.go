package setup

import (
	"context"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
)

type formsKey struct{}

// WithForms returns a context for commands whose gateways, jobs and inspectors know these forms.
func WithForms(ctx context.Context, table transform.Forms) context.Context {
	return context.WithValue(ctx, formsKey{}, table)
}

// Forms returns the forms of a context, [forms.All] without any.
func Forms(ctx context.Context) transform.Forms {
	if table, ok := ctx.Value(formsKey{}).(transform.Forms); ok {
		return table
	}
	return forms.All()
}
