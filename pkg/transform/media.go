package transform

import "context"

// MediaFetcher gets media from addresses that the writer of a request has chosen, which is anybody
// who may send one. So the fetcher must decide which addresses it goes to (not into private
// networks, neither by name nor by a redirect), which MIME types it takes, how many bytes it reads
// and how long it waits. Package mediafetch has one.
//
// The functions InlineMedia of the forms call it in the order of the request, from their own
// goroutine, once for each time that an address occurs: history repeats addresses, and a fetcher
// may remember what it got. Several conversions may use the same fetcher at a time.
//
// Addresses may hold secrets, such as those of signed URLs. Errors become part of those of the
// conversion, so they should not quote more of an address than its host.
type MediaFetcher interface {
	// Fetch gets what is at an http or https address, and its MIME type, such as "image/png", with
	// or without parameters; "" when the server sends none. The bytes are not changed and not kept.
	Fetch(ctx context.Context, url string) (mimeType string, data []byte, err error)
}

// MediaTypeFetcher asks for the MIME types of media. It decides about addresses like a
// [MediaFetcher].
type MediaTypeFetcher interface {
	// Head returns the MIME type of what is at an http or https address without getting it, as
	// Fetch does.
	Head(ctx context.Context, url string) (mimeType string, err error)
}
