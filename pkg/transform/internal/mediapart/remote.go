package mediapart

import (
	"cmp"
	"encoding/base64"

	"github.com/gemwire/gemwire/pkg/wiretype"
)

// Remote is the media of a part at an address where anybody can get them, over http.
type Remote struct {
	Address string
	// Member is where the address is in the part, as a pointer.
	Member string
	// MIMEType is the type by what stands beside the address, or by its extension; "" when nothing tells it.
	MIMEType string
}

// RemoteOf returns the remote media of a part. ok is false for media that are in the part, and for those that only
// Google can get or gets by itself, such as videos of YouTube.
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
	return Remote{Address: address, Member: m.Member, MIMEType: cmp.Or(m.typeBeside(), TypeByName(parsed.Path))}, true
}

// Inline returns the URL of the media themselves. The declared type is that of who sent them, "" for none.
func (r *Remote) Inline(declared string, data []byte) wiretype.MediaURL {
	encoded := base64.StdEncoding.EncodeToString(data)
	return wiretype.InlineMedia(typeOf(declared, r.MIMEType, encoded), encoded)
}
