// Package mediafetch downloads images and other media from addresses that strangers chose. It
// protects services that only this machine can reach. Pass a fetcher to [request.InlineMedia]:
//
//	fetcher := mediafetch.New(mediafetch.WithMaxBodySize(8 << 20))
//	in, err := request.InlineMedia(ctx, in, fetcher)
//	...
//	out, report, err := request.ToGemini(in)
//
// It rejects the following with an *[Error]:
//
//   - addresses that are not http or https, contain a user name, or have a port other than 80 and
//     443;
//   - hosts that resolve to an address outside the public internet: loopback, private and
//     link-local networks, and addresses that only look public, such as IPv4 addresses embedded in
//     IPv6. The check applies to the address of the connection, so it also covers redirects and
//     names that resolve differently the second time. For the same reason, proxies of the
//     environment are not used;
//   - more than five redirects, and redirects from https to http;
//   - media types that are not on the list, and bodies above the size limit. It requests no
//     compression and decompresses nothing.
//
// It sends no cookie, no credential and no Referer. Errors name the host but never the rest of an
// address, which may contain a secret.
//
// [request.InlineMedia]: https://pkg.go.dev/github.com/gemwire/gemwire/pkg/transform/chat/request#InlineMedia
package mediafetch
