package transform

import "context"

// MediaFetcher downloads media from addresses in a request. The writer of the request chooses the
// addresses and may be anybody. So a fetcher must decide which addresses it allows, and never
// private networks, neither by name nor by a redirect. It must also limit MIME types, sizes and
// times. Package mediafetch has one.
//
// The InlineMedia functions of the forms call it from their own goroutine, in the order of the
// request. They call it each time that an address occurs. Histories repeat addresses, so a fetcher
// may cache results. Several conversions may use a fetcher at the same time.
//
// Addresses may contain secrets, for example signed URLs. Errors become part of the conversion's
// errors, so they should not quote more of an address than its host.
type MediaFetcher interface {
	// Fetch downloads an http or https address. It returns the data and their MIME type, such as
	// "image/png", with or without parameters, or "" if the server sends none. The data are neither
	// changed nor kept.
	Fetch(ctx context.Context, url string) (mimeType string, data []byte, err error)
}

// MediaTypeFetcher finds the MIME types of media. It must check addresses like a [MediaFetcher].
type MediaTypeFetcher interface {
	// Head returns the MIME type of an http or https address without downloading it, in the form of
	// Fetch.
	Head(ctx context.Context, url string) (mimeType string, err error)
}
