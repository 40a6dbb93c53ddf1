package setup

import (
	"context"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
)

type formsKey struct{}

// WithForms returns a context with the forms for a command's gateways, jobs and inspectors.
func WithForms(ctx context.Context, table transform.Forms) context.Context {
	return context.WithValue(ctx, formsKey{}, table)
}

// Forms returns the forms of a context. The default is [forms.All].
func Forms(ctx context.Context) transform.Forms {
	if table, ok := ctx.Value(formsKey{}).(transform.Forms); ok {
		return table
	}
	return forms.All()
}
