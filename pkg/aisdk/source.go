package aisdk

// SourceType says where a source is.
type SourceType string

// The types of sources.
const (
	// SourceURL is a page in the web.
	SourceURL SourceType = "url"
	// SourceDocument is a document that the caller or the provider holds.
	SourceDocument SourceType = "document"
)

// Source is a source that the answer rests on.
type Source struct {
	// SourceType says which of the members below apply.
	SourceType SourceType
	// ID names the source.
	ID string
	// URL is the address of a page. Only for [SourceURL].
	URL string
	// MediaType is the IANA media type of a document. Only for [SourceDocument].
	MediaType string
	// Title is the title; for a page it may be absent, which is "".
	Title string
	// Filename is the name of a document's file; "" is absent. Only for [SourceDocument].
	Filename string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeSource].
func (Source) PartType() PartType { return TypeSource }

// MarshalJSON returns what [EncodePart] returns.
func (p Source) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p Source) write(w *partWriter) {
	w.text("sourceType", string(p.SourceType))
	w.text("id", p.ID)
	switch p.SourceType {
	case SourceURL:
		w.text("url", p.URL)
		w.optionalText("title", p.Title)
		w.rejectText("mediaType", p.MediaType)
		w.rejectText("filename", p.Filename)
	case SourceDocument:
		w.text("mediaType", p.MediaType)
		w.text("title", p.Title)
		w.optionalText("filename", p.Filename)
		w.rejectText("url", p.URL)
	default:
		w.fail("sourceType", reasonUnknownValue)
	}
	w.metadata(p.ProviderMetadata)
}

func readSourcePart(r *partReader) Part { return readSource(r) }

func readSource(r *partReader) Source {
	p := Source{
		SourceType:       SourceType(r.text("sourceType")),
		ID:               r.text("id"),
		ProviderMetadata: r.metadata(),
	}
	switch p.SourceType {
	case SourceURL:
		p.URL = r.text("url")
		p.Title = r.optionalText("title")
	case SourceDocument:
		p.MediaType = r.text("mediaType")
		p.Title = r.text("title")
		p.Filename = r.optionalText("filename")
	default:
		r.fail("sourceType", reasonUnknownValue)
	}
	return p
}

// Citation ties a source to a text block. V4 only.
type Citation struct {
	// Source is the source.
	Source Source
	// StartIndex is where the text that rests on it begins in the block; nil is absent.
	StartIndex *int
	// EndIndex is where that text ends, exclusive; nil is absent.
	EndIndex *int
	// CitedText is the passage of the source; "" is absent.
	CitedText string
}

func writeCitations(w *partWriter, citations []Citation) {
	const name = "citations"
	if citations == nil {
		return
	}
	w.onlyV4(name)
	w.beginList(name)
	for i, c := range citations {
		w.beginElement(i)
		w.beginObject("source")
		w.text("type", string(TypeSource))
		c.Source.write(w)
		w.endObject()
		w.optionalCount("startIndex", c.StartIndex)
		w.optionalCount("endIndex", c.EndIndex)
		w.optionalText("citedText", c.CitedText)
		w.endElement()
	}
	w.endList()
}

func readCitations(r *partReader) []Citation {
	const name = "citations"
	if r.optional(name) == nil {
		return nil
	}
	out := []Citation{}
	r.list(name, func(r *partReader) {
		var c Citation
		r.object("source", func(r *partReader) {
			if PartType(r.text("type")) != TypeSource {
				r.fail("type", reasonUnknownValue)
			}
			c.Source = readSource(r)
		})
		c.StartIndex = r.optionalCount("startIndex")
		c.EndIndex = r.optionalCount("endIndex")
		c.CitedText = r.optionalText("citedText")
		out = append(out, c)
	})
	return out
}
