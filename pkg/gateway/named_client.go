package gateway

import "context"

// clientNameKey is the key of [AsClient] in a context.
type clientNameKey struct{}

// AsClient has requests that come from within the program, and not from a connection, asked in the name of a client: they
// have the models and limits of the key of that name, and need not send the key. It is for requests that a client has left
// to be asked later, such as those of a batch. Requests of other programs cannot say so, whatever they send.
func AsClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientNameKey{}, name)
}

// namedClient returns what AsClient was told.
func namedClient(ctx context.Context) (name string, isNamed bool) {
	name, isNamed = ctx.Value(clientNameKey{}).(string)
	return name, isNamed
}
