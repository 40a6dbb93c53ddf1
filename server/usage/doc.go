// Package usage counts what the clients of a gateway use: requests, tokens and cost per day, client
// key, model, service and tier.
//
//	book, err := usage.Open(ctx, usage.InMemory())
//	if err != nil { ... }
//	defer book.Close(ctx)
//	handler, err := gateway.New(gateway.WithObserver(book.Observer()))
//	...
//	rows, err := book.Rows(ctx, from, until)
//
// A request only adds to numbers in memory. Once a second the book writes the changed numbers to
// its room. Each process has records of its own with absolute numbers, so the numbers of several
// replicas add up, and a write that is repeated counts once. A killed process loses what it has not
// written: at most one second of traffic. [Book.Losses] lists such processes.
package usage
