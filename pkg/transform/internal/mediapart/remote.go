package mediapart

import (
	"cmp"
	"context"
	"encoding/base64"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// Remote is the media of a part at an http address that any server can read.
type Remote struct {
	Address string
	// Member is the pointer of the address in the part.
	Member string
	// MIMEType is the type next to the address, or the type of the address's extension, or "".
	MIMEType string
}

// RemoteOf returns the remote media of a part. ok is false for media in the part, and for media
// that only Google can read or that it reads itself, such as YouTube videos.
func RemoteOf(m *Media) (remote Remote, ok bool) {
	if IsInline(m.URL) || m.URL.IsZero() {
		return Remote{}, false
	}
	if in, err := parseInline(m.URL); err != nil || in.ok {
		return Remote{}, false
	}
	address := m.address()
	parsed, err := parseAddress(address)
	if err != nil || hostOf(parsed) != hostAnybody {
		return Remote{}, false
	}
	return Remote{Address: address, Member: m.Member,
		MIMEType: cmp.Or(m.typeNextTo(), TypeByName(parsed.Path))}, true
}

// Fetch downloads the media and returns a data URL. pointer is the pointer of the address. If
// fetcher is nil, Fetch returns an error. The error is a *[refusal.Error].
func (r *Remote) Fetch(ctx context.Context, fetcher transform.MediaFetcher,
	pointer string) (wiretype.MediaURL, error) {
	if fetcher == nil {
		return wiretype.MediaURL{},
			&refusal.Error{Pointer: pointer,
				Problem: "must be a data URL, because media addresses are not allowed"}
	}
	declared, data, err := fetcher.Fetch(ctx, r.Address)
	switch {
	case err != nil:
		return wiretype.MediaURL{},
			&refusal.Error{Pointer: pointer, Problem: "the media cannot be downloaded", Err: err}
	case len(data) == 0:
		return wiretype.MediaURL{},
			&refusal.Error{Pointer: pointer, Problem: "the address has no data"}
	}
	encoded := base64.StdEncoding.EncodeToString(data)
	return wiretype.InlineMedia(typeOf(declared, r.MIMEType, encoded), encoded), nil
}
