package mediapart

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// Converter converts the media of one request. Its zero value is for the Gemini API and for a model that takes
// one resolution for all media.
type Converter struct {
	// VertexAI says that the request is for Vertex AI.
	VertexAI bool
	// PartResolution says that the model takes a resolution for each part.
	PartResolution bool

	// asked are the resolutions that single parts ask for of a model that takes but one for all.
	asked []askedResolution
}

// Pointer returns the JSON pointer of a member of a part, such as "/image_url/detail", in the request; "" is the
// part itself. It is called only when there is something to say.
type Pointer func(member string) string

// Refusal says why media cannot be converted.
type Refusal struct {
	// Pointer is that of the member in the request.
	Pointer string
	// Problem is what is wrong and what would be right.
	Problem string
	// Err is the cause; nil where Problem says it all.
	Err error
}

// Part returns the media as a part of Gemini's, inline or by address. Without any media the part is empty,
// and that is reported. The refusal is nil for media that can be converted.
func (c *Converter) Part(m Media, at Pointer) (geminiapi.Part, transform.Report, *Refusal) {
	w := writer{Converter: c, Media: m, at: at}
	w.reportWithoutEffect()
	if refusal := w.setMedia(); refusal != nil {
		return w.part, w.report, refusal
	}
	if m.google != nil && w.hasMedia() {
		w.part.VideoMetadata = m.google.VideoMetadata
		w.setResolution()
	}
	w.setDetail()
	w.setUnknown()
	return w.part, w.report, nil
}

// writer writes one part.
type writer struct {
	*Converter
	Media
	at     Pointer
	part   geminiapi.Part
	report transform.Report
}

func (w *writer) hasMedia() bool { return w.part.InlineData != nil || w.part.FileData != nil }

// reportWithoutEffect reports what a part says about its media without effect.
func (w *writer) reportWithoutEffect() {
	typed, _, _ := w.url.Inline()
	if w.format && typed != "" && canonicalType(typed) != w.suggested {
		w.report.Add(transform.Approximated, w.at("/input_audio/format"), "the data names its type itself")
	}
	if w.fileID {
		w.report.Add(transform.Lost, w.at("/file/file_id"), "the file itself is there")
	}
	switch { // Only Vertex AI has a member for the name of a file, whose extension may be the only sign of the type.
	case w.fileName == "" || w.VertexAI:
	case isUntyped(typed) && w.suggested != "":
		w.report.Add(transform.Approximated, w.at("/file/filename"), "tells the type of the file; the Gemini API takes no names")
	default:
		w.report.Add(transform.Lost, w.at("/file/filename"), "the Gemini API takes no names of files")
	}
}

func (w *writer) setMedia() *Refusal {
	in, err := parseInline(w.url)
	switch {
	case err != nil:
		return &Refusal{Pointer: w.at(w.member), Problem: "the data URL cannot be understood", Err: err}
	case in.ok && !looksLikeBase64(in.data):
		return &Refusal{Pointer: w.at(w.member), Problem: "the data in it is not base64"}
	case in.ok && in.data != "":
		w.part.InlineData = w.blob(in)
	case w.url.IsZero() || in.ok:
		w.report.Add(transform.Lost, w.at(""), "there are no media in it")
	default:
		return w.setAddress()
	}
	return nil
}

// blob makes the data of media that came inline.
func (w *writer) blob(in inline) *geminiapi.Blob {
	mimeType := w.typeBeside()
	if w.named() == nil {
		mimeType = typeOf(in.mimeType, w.suggested, in.data)
	}
	switch {
	case mimeType == in.mimeType:
	case in.mimeType != "":
		w.report.Add(transform.Approximated, w.at(w.member), "the type is another than the data URL says")
	case mimeType == untyped:
		w.report.Add(transform.Added, w.at(w.member), "nothing tells the type of the data")
	}
	return &geminiapi.Blob{MIMEType: &mimeType, Data: &in.data, DisplayName: w.displayName()}
}

// displayName returns the name of a file for Vertex AI, the only backend that has a member for it.
func (w *writer) displayName() *string {
	if !w.VertexAI {
		return nil
	}
	return optional.Text(w.fileName)
}

// setAddress sets media that are given by an address.
func (w *writer) setAddress() *Refusal {
	address := w.address()
	parsed, err := parseAddress(address)
	if err != nil {
		return &Refusal{Pointer: w.at(w.member), Problem: "neither an address nor a data URL"}
	}
	host := hostOf(parsed)
	switch {
	case host == hostUnknown:
		return &Refusal{Pointer: w.at(w.member), Problem: "not an address that Gemini could reach; those begin with https://, http://, gs:// or files/"}
	case host == hostFileName && !w.VertexAI:
		w.report.Add(transform.Approximated, w.at(w.member), "completed to the address of the file")
		address = filesAPI + address
	}
	mimeType := cmp.Or(w.typeBeside(), typeByName(parsed.Path))
	if host == hostYouTube && w.VertexAI && mimeType == "" {
		mimeType = "video/mp4" // which Vertex AI wants to be told, though there is only this
	}
	w.part.FileData = &geminiapi.FileData{MIMEType: optional.Text(mimeType), FileURI: &address, DisplayName: w.displayName()}
	return nil
}
