package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

func (v *checker) blob(part *location, b *geminiapi.Blob) {
	if b == nil {
		return
	}
	at := part.member("inlineData")
	v.mimeType(&at, textOf(b.MIMEType))
	v.base64(&at, textOf(b.Data))
	checkExclusive(v, &at, b, blobExclusives)
	v.unknown(&at, b.Unknown)
}

// mimeType of media that are in the request. The models' lists of types grow, so only what is none at all
// is refused.
func (v *checker) mimeType(media *location, mimeType string) {
	switch {
	case mimeType == "":
		v.reportMember(media, "mimeType", ruleRequired, "", "media must name their type, such as image/png")
	case !strings.Contains(mimeType, "/"):
		v.reportMember(media, "mimeType", ruleFormat, shortString(mimeType), quote(mimeType)+" is no media type; must look like image/png")
	}
}

// base64 looks at the first bytes alone: media are large, and what is commonly wrong with them, such as
// the beginning of a data URL, stands there.
func (v *checker) base64(media *location, data string) {
	if data == "" {
		v.reportMember(media, "data", ruleRequired, "", "media must hold their bytes, in base64")
		return
	}
	for _, c := range []byte(data[:min(len(data), 32)]) {
		if !isBase64Byte(c) {
			v.reportMember(media, "data", ruleFormat, "", "must be base64 alone, without a data: URL around it")
			return
		}
	}
}

// isBase64Byte takes both alphabets, as the backends do, and the white space that some encoders write.
func isBase64Byte(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_=\r\n\t ", c) >= 0
}

// fileData: the Gemini API often knows the type of an uploaded file, Vertex AI never does.
func (v *checker) fileData(part *location, f *geminiapi.FileData) {
	if f == nil {
		return
	}
	at := part.member("fileData")
	if textOf(f.FileURI) == "" {
		v.reportMember(&at, "fileUri", ruleRequired, "", "a file must have its URI")
	}
	if textOf(f.MIMEType) == "" && v.backend == VertexAI {
		v.reportMember(&at, "mimeType", ruleRequired, "", "Vertex AI needs the type of a file, such as application/pdf")
	}
	checkExclusive(v, &at, f, fileDataExclusives)
	v.unknown(&at, f.Unknown)
}

// maxFPS is the highest rate at which frames of a video can be sampled, by Google's description.
const maxFPS = 24

func (v *checker) videoMetadata(part *location, p *geminiapi.Part) {
	if p.VideoMetadata == nil {
		return
	}
	at := part.member("videoMetadata")
	v.duration(&at, "startOffset", p.VideoMetadata.StartOffset)
	v.duration(&at, "endOffset", p.VideoMetadata.EndOffset)
	if fps := p.VideoMetadata.Fps; fps != nil && !(0 < *fps && *fps <= maxFPS) {
		v.reportMember(&at, "fps", ruleRange, numberText(*fps), numberText(*fps)+" is out of range; must be above 0, and 24 at most")
	}
	v.unknown(&at, p.VideoMetadata.Unknown)
}

func (v *checker) partMediaResolution(part *location, m *geminiapi.PartMediaResolution) {
	if m == nil {
		return
	}
	at := part.member("mediaResolution")
	if v.traits != nil && !v.traits.PartMediaResolution {
		v.report(&at, ruleModel, "", v.modelName()+" takes no resolution for a single part; set generationConfig.mediaResolution")
	}
	checkEnum(v, &at, "level", m.Level)
	v.unknown(&at, m.Unknown)
}
