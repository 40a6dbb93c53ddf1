package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wire"
)

// checkBlob checks media that are in the request. The models' lists of types grow, so only what is no type at all
// is refused.
func (v *checker) checkBlob(at *wire.Location, b *geminiapi.Blob) {
	switch mimeType := textOf(b.MIMEType); {
	case mimeType == "":
		v.reportMember(at, "mimeType", ruleRequired, "", "media must name their type, such as image/png")
	case !strings.Contains(mimeType, "/"):
		v.reportMember(at, "mimeType", ruleFormat, shortString(mimeType), quote(mimeType)+" is no media type; must look like image/png")
	}
	v.base64(at, textOf(b.Data))
}

// base64 looks at the first bytes alone: media are large, and what is commonly wrong with them, such as
// the beginning of a data URL, stands there.
func (v *checker) base64(media *wire.Location, data string) {
	if data == "" {
		if !v.isReturned(media) { // An answer may begin with a piece of silence.
			v.reportMember(media, "data", ruleRequired, "", "media must hold their bytes, in base64")
		}
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

// checkFileData: the Gemini API often knows the type of an uploaded file, Vertex AI never does.
func (v *checker) checkFileData(at *wire.Location, f *geminiapi.FileData) {
	v.fileURI(at, f.FileURI)
	if textOf(f.MIMEType) == "" && v.backend == VertexAI {
		v.reportMember(at, "mimeType", ruleRequired, "", "Vertex AI needs the type of a file, such as application/pdf")
	}
}

func (v *checker) fileURI(file *wire.Location, uri *string) {
	if textOf(uri) == "" {
		v.reportMember(file, "fileUri", ruleRequired, "", "a file must have its URI")
	}
}

func (v *checker) checkPartMediaResolution(at *wire.Location, _ *geminiapi.PartMediaResolution) {
	if v.traits != nil && !v.traits.PartMediaResolution {
		v.report(at, ruleModel, "", v.modelName()+" takes no resolution for a single part; set generationConfig.mediaResolution")
	}
}

func (v *checker) checkFunctionResponsePart(at *wire.Location, p *geminiapi.FunctionResponsePart) {
	if (p.InlineData == nil) == (p.FileData == nil) {
		v.report(at, ruleOneMember, "", "must hold one of inlineData and fileData")
	}
}

func (v *checker) checkFunctionResponseBlob(at *wire.Location, b *geminiapi.FunctionResponseBlob) {
	v.responseMediaType(at, textOf(b.MIMEType))
	v.base64(at, textOf(b.Data))
}

func (v *checker) checkFunctionResponseFileData(at *wire.Location, f *geminiapi.FunctionResponseFileData) {
	v.fileURI(at, f.FileURI)
	v.responseMediaType(at, textOf(f.MIMEType))
}

// responseMediaTypes are the types that a functionResponse may hold; others get HTTP 400.
const responseMediaTypes = "image/png, image/jpeg, image/webp, application/pdf, text/plain"

func (v *checker) responseMediaType(media *wire.Location, mimeType string) {
	for known := range strings.SplitSeq(responseMediaTypes, ", ") {
		if strings.EqualFold(mimeType, known) {
			return
		}
	}
	message := "media must name their type; must be one of "
	if mimeType != "" {
		message = "a functionResponse holds no " + quote(mimeType) + "; must be one of "
	}
	v.reportMember(media, "mimeType", ruleOneOf, optionalString(mimeType), message+responseMediaTypes)
}
