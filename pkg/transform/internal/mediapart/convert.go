package mediapart

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// Converter converts the media of one request. The zero value is for the Gemini API and for a model
// with one resolution for all media.
type Converter struct {
	// VertexAI is true if the request is for Vertex AI.
	VertexAI bool
	// PartResolution is true if the model accepts a resolution for each part.
	PartResolution bool

	// asked are the resolutions that parts ask for, if the model has one resolution for all.
	asked []askedResolution
}

// Pointer returns the JSON pointer of a part's member in the request, such as "/image_url/detail";
// "" is the part itself. It is called only if there is something to report.
type Pointer func(member string) string

// Part returns the media as a Gemini part, inline or by address. Without media the part is empty
// and reported. The error is a *[refusal.Error].
func (c *Converter) Part(m Media, at Pointer) (geminiapi.Part, report.Report, error) {
	w := writer{Converter: c, Media: m, at: at}
	w.reportWithoutEffect()
	if err := w.setMedia(); err != nil {
		return w.part, w.report, err
	}
	if w.hasMedia() {
		w.part.VideoMetadata = m.Video
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
	report report.Report
}

func (w *writer) hasMedia() bool { return w.part.InlineData != nil || w.part.FileData != nil }

// reportWithoutEffect reports the members of a part that have no effect on its media.
func (w *writer) reportWithoutEffect() {
	typed, _, _ := w.URL.Inline()
	if w.FormatMember != "" && typed != "" && CanonicalType(typed) != w.Suggested {
		w.report.Add(report.Approximated, w.at(w.FormatMember), "the data has its own type")
	}
	if w.FileIDMember != "" {
		w.report.Add(report.Lost, w.at(w.FileIDMember), "the file itself is sent")
	}
	// Only Vertex AI has a member for the name of a file. The extension of the name may be the only
	// hint at the type.
	switch {
	case w.FileName == "" || w.VertexAI:
	case isUntyped(typed) && w.Suggested != "":
		w.report.Add(report.Approximated, w.at(w.FileNameMember),
			"used for the type of the file; the Gemini API accepts no file names")
	default:
		w.report.Add(report.Lost, w.at(w.FileNameMember), "the Gemini API accepts no file names")
	}
}

func (w *writer) setMedia() error {
	in, err := parseInline(w.URL)
	switch {
	case err != nil:
		return &refusal.Error{Pointer: w.at(w.Member), Problem: "the data URL is invalid",
			Err: err}
	case in.ok && !looksLikeBase64(in.data):
		return &refusal.Error{Pointer: w.at(w.Member), Problem: "the data in it is not base64"}
	case in.ok && in.data != "":
		w.part.InlineData = w.blob(in)
	case w.URL.IsZero() || in.ok:
		w.report.Add(report.Lost, w.at(""), "the part has no media")
	default:
		return w.setAddress()
	}
	return nil
}

// blob returns the data of inline media.
func (w *writer) blob(in inline) *geminiapi.Blob {
	mimeType := w.typeNextTo()
	if w.MIMEType == nil {
		mimeType = typeOf(in.mimeType, w.Suggested, in.data)
	}
	switch {
	case mimeType == in.mimeType:
	case in.mimeType != "" && w.TypeMember != "":
		w.report.Add(report.Approximated, w.at(w.TypeMember), "the data has another type")
	case in.mimeType != "":
		w.report.Add(report.Approximated, w.at(w.Member),
			"the data has another type than the data URL says")
	case mimeType == untyped:
		w.report.Add(report.Added, w.at(w.Member), "application/octet-stream, because the type of the data is unknown")
	}
	return &geminiapi.Blob{MIMEType: &mimeType, Data: &in.data, DisplayName: w.displayName()}
}

// displayName returns the file name for Vertex AI, the only backend with a member for it.
func (w *writer) displayName() *string {
	if !w.VertexAI {
		return nil
	}
	return jsonx.NonEmpty(w.FileName)
}

// setAddress sets media from an address.
func (w *writer) setAddress() error {
	address := w.address()
	parsed, err := parseAddress(address)
	if err != nil {
		return &refusal.Error{Pointer: w.at(w.Member), Problem: "neither an address nor a data URL"}
	}
	host := hostOf(parsed)
	switch {
	case host == hostUnknown:
		return &refusal.Error{Pointer: w.at(w.Member),
			Problem: "must be an address that Gemini can read, starting with https://, http://, gs:// or files/"}
	case host == hostFileName && !w.VertexAI:
		w.report.Add(report.Approximated, w.at(w.Member), "completed to the full address of the file")
		address = filesAPI + address
	}
	mimeType := cmp.Or(w.typeNextTo(), TypeByName(parsed.Path))
	if host == hostYouTube && w.VertexAI && mimeType == "" {
		mimeType = "video/mp4" // Vertex AI requires a type, and this is the only one
	}
	w.part.FileData = &geminiapi.FileData{MIMEType: jsonx.NonEmpty(mimeType), FileURI: &address,
		DisplayName: w.displayName()}
	return nil
}
