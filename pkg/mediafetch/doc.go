// Package mediafetch gets images and other media from addresses that strangers chose, without
// letting them reach what only this machine can reach. It is what [request.InlineMedia] is given:
//
//	fetcher := mediafetch.New(mediafetch.WithMaxBodySize(8 << 20))
//	in, err := request.InlineMedia(ctx, in, fetcher)
//	...
//	out, report, err := request.ToGemini(in)
//
// What it refuses, each with an *[Error]:
//
//   - addresses that are not http or https, hold a user name, or name another port than 80 or 443;
//   - hosts that resolve to an address outside the public internet: loopback, private and
//     link-local networks, and those that only look public, such as IPv4 addresses embedded in
//     IPv6. What counts is the address that is connected to, so neither a name that resolves
//     differently the second time nor a redirect gets around it. Proxies of the environment are not
//     used, as they would;
//   - more than five redirects, and those from https to http;
//   - media types that are not on the list, and bodies beyond the limit, compressed ones included:
//     no compression is asked for and none undone.
//
// Nothing is sent along: no cookie, no credential, no Referer. Errors name the host and never the
// rest of an address, which may hold a secret.
//
// [request.InlineMedia]: https://pkg.go.dev/github.com/gemwire/gemwire/pkg/transform/chat/request#InlineMedia
package mediafetch
