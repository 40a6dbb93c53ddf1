package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// fit makes the parts from a position on acceptable for the model and the service, and omits empty
// ones. at returns the pointer of the block that a part was made from.
func (b *history) fit(parts []geminiapi.Part, first int,
	at func(i int) string) ([]geminiapi.Part, error) {
	out := parts[:first]
	for i := first; i < len(parts); i++ {
		part := parts[i]
		if part.InlineData != nil || part.FileData != nil {
			if err := b.fitMedia(&part, func(member string) string {
				return at(i-first) + member
			}); err != nil {
				return nil, err
			}
		}
		before := len(out)
		if out = conversation.AppendPart(out, &part); len(out) == before && part.Text != nil {
			b.Report.Add(report.Approximated, at(i-first), detailEmpty)
		}
	}
	return out, nil
}

// fitMedia checks the media of a part, and moves a resolution that the model accepts only for the
// whole request.
func (b *history) fitMedia(part *geminiapi.Part, at mediapart.Pointer) error {
	m := mediapart.Media{Video: part.VideoMetadata}
	if blob := part.InlineData; blob != nil {
		m.MIMEType, m.Member = knownType(blob.MIMEType), "/data"
		m.URL = wiretype.InlineMedia(jsonx.Deref(m.MIMEType), jsonx.Deref(blob.Data))
	} else {
		m.MIMEType, m.Member = knownType(part.FileData.MIMEType), "/uri"
		m.URL = wiretype.MediaAddress(jsonx.Deref(part.FileData.FileURI))
	}
	if part.MediaResolution != nil {
		m.Detail = mediapart.Detail{Member: "/resolution",
			Level: jsonx.Deref(part.MediaResolution.Level)}
	}
	fitted, entries, err := b.Media.Part(m, at)
	b.Report = append(b.Report, entries...)
	if err != nil {
		return err
	}
	part.InlineData, part.FileData = fitted.InlineData, fitted.FileData
	part.MediaResolution = fitted.MediaResolution
	if part.MediaProcessing != nil && b.VertexAI {
		part.MediaProcessing = nil
		b.Report.Add(report.Lost, at("/processing"), detailGeminiOnly)
	}
	return nil
}

// anySubtype is the end of a MIME type that is known only by its kind, such as image/*.
const anySubtype = "/*"

// knownType returns a MIME type, or nil if only its kind is known.
func knownType(mimeType *string) *string {
	if mimeType != nil && strings.HasSuffix(*mimeType, anySubtype) {
		return nil
	}
	return mimeType
}

// withTypes returns content in which all media have a MIME type. Media without one have the type of
// their kind, until the data or the address show more. If isCopy is false, the result is the given
// list, which is not changed.
func withTypes(content []interactionsapi.Content) (typed []interactionsapi.Content, isCopy bool) {
	for i := range content {
		c := &content[i]
		kind := kindsOfMedia[c.Type]
		if kind == "" || c.MIMEType != nil || c.Data == nil && c.URI == nil {
			continue
		}
		if !isCopy {
			content, isCopy = slices.Clone(content), true
		}
		content[i].MIMEType = new(kind + anySubtype)
	}
	return content, isCopy
}

// kindsOfMedia maps the types of blocks to the first part of MIME types. It is never written to.
var kindsOfMedia = map[interactionsapi.ContentType]string{
	interactionsapi.ContentTypeImage: "image", interactionsapi.ContentTypeAudio: "audio",
	interactionsapi.ContentTypeVideo: "video", interactionsapi.ContentTypeDocument: "application",
}
