package request

import "context"

// MediaFetcher gets media from addresses that the writer of a request has chosen, which is anybody who
// may send one. So it is the fetcher that must decide which addresses it goes to (not into private
// networks, neither by name nor by a redirect), which MIME types it takes, how many bytes it reads and
// how long it waits.
//
// A conversion calls it in the order of the messages, from its own goroutine, once for each time that an
// address occurs: history repeats addresses, and a fetcher may remember what it got. The same fetcher
// may be used by several conversions at a time.
//
// Addresses may hold secrets, such as those of signed URLs. Errors become part of the conversion's, so
// they should not quote more of an address than its host.
type MediaFetcher interface {
	// Head returns the MIME type of what is at an http or https address without getting it, such as
	// "image/png", with or without parameters; "" when the server does not tell.
	Head(ctx context.Context, url string) (mimeType string, err error)
	// Fetch gets what is at an http or https address, and its MIME type as Head returns it. The bytes are
	// not changed and not kept.
	Fetch(ctx context.Context, url string) (mimeType string, data []byte, err error)
}
