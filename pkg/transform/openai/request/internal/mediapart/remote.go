package mediapart

import (
	"cmp"
	"encoding/base64"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
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

// RemoteOf returns the remote media of a part of the type, which is none of text. ok is false for media that
// are in the part, and for those that only Google can get or gets by itself, such as videos of YouTube.
func RemoteOf(p *openaiapi.ContentPart, kind openaiapi.ContentPartType) (remote Remote, ok bool) {
	m := Of(p, kind)
	if IsInline(m.url) || m.url.IsZero() {
		return Remote{}, false
	}
	if in, err := parseInline(m.url); err != nil || in.ok {
		return Remote{}, false
	}
	address := m.address()
	parsed, err := parseAddress(address)
	if err != nil || hostOf(parsed) != hostAnybody {
		return Remote{}, false
	}
	return Remote{Address: address, Member: m.member, MIMEType: cmp.Or(m.typeBeside(), typeByName(parsed.Path))}, true
}

// SetData puts the media into a part of the type, in place of their address. The declared type is that of who
// sent them, "" for none.
func (r *Remote) SetData(p *openaiapi.ContentPart, kind openaiapi.ContentPartType, declared string, data []byte) {
	encoded := base64.StdEncoding.EncodeToString(data)
	media := wiretype.InlineMedia(typeOf(declared, r.MIMEType, encoded), encoded)
	switch kind {
	case openaiapi.ContentPartTypeImageURL:
		p.ImageURL = new(*p.ImageURL)
		p.ImageURL.URL = media
	case openaiapi.ContentPartTypeInputAudio:
		p.InputAudio = new(*p.InputAudio)
		p.InputAudio.Data = media.String()
	case openaiapi.ContentPartTypeFile:
		p.File = new(*p.File)
		p.File.FileData, p.File.FileID = new(media.String()), nil
	default:
		p.VideoURL = new(*p.VideoURL)
		p.VideoURL.URL = media.String()
	}
}

// SetType puts the type of its media into the extension of a part. A type that names no kind of data is left
// out.
func SetType(p *openaiapi.ContentPart, mimeType string) {
	if mimeType = canonicalType(mimeType); mimeType == "" {
		return
	}
	google := optional.Value(Extension(p.ExtraContent))
	google.MIMEType = &mimeType
	extra := optional.Value(p.ExtraContent)
	if extra.Google == nil && extra.Vertex != nil {
		extra.Vertex = &google
	} else {
		extra.Google = &google
	}
	p.ExtraContent = &extra
}
