package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// checkBlob checks media in the request. The models' lists of types grow, so only text that is not
// a media type is refused.
func (v *checker) checkBlob(at *codec.Location, b *geminiapi.Blob) {
	v.mediaType(at, textOf(b.MIMEType))
	v.base64(at, textOf(b.Data))
}

func (v *checker) mediaType(media *codec.Location, mimeType string) {
	switch {
	case mimeType == "":
		v.reportMember(media, "mimeType", ruleRequired, "",
			"media must name their type, such as image/png")
	case !strings.Contains(mimeType, "/"):
		v.reportMember(media, "mimeType", ruleFormat, shortString(mimeType),
			quote(mimeType)+" is not a media type; must look like image/png")
	}
}

// base64 checks only the first bytes. Media are large, and common mistakes are at the beginning,
// such as the prefix of a data URL.
func (v *checker) base64(media *codec.Location, data string) {
	if data == "" {
		if !v.isReturned(media) { // An answer may begin with empty audio.
			v.reportMember(media, "data", ruleRequired, "",
				"media must hold their bytes, in base64")
		}
		return
	}
	for _, c := range []byte(data[:min(len(data), 32)]) {
		if !isBase64Byte(c) {
			v.reportMember(media, "data", ruleFormat, "",
				"must be only base64, without a data: URL around it")
			return
		}
	}
}

// isBase64Byte accepts both alphabets, like the backends, and the white space that some encoders
// write.
func isBase64Byte(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' ||
		strings.IndexByte("+/-_=\r\n\t ", c) >= 0
}

// checkFileData: the Gemini API often knows the type of an uploaded file; Vertex AI never does.
func (v *checker) checkFileData(at *codec.Location, f *geminiapi.FileData) {
	v.fileURI(at, f.FileURI)
	if textOf(f.MIMEType) == "" && v.backend == VertexAI {
		v.reportMember(at, "mimeType", ruleRequired, "",
			"Vertex AI needs the type of a file, such as application/pdf")
	}
}

func (v *checker) fileURI(file *codec.Location, uri *string) {
	if textOf(uri) == "" {
		v.reportMember(file, "fileUri", ruleRequired, "", "a file must have its URI")
	}
}

// checkFunctionResponsePart: the Gemini API also accepts a file of its Files API, although Google's
// description does not list it.
func (v *checker) checkFunctionResponsePart(at *codec.Location, p *geminiapi.FunctionResponsePart) {
	if p.IsEmpty() || p.InlineData != nil && p.FileData != nil {
		v.report(at, ruleOneMember, "", "must hold one of inlineData and fileData")
	}
}

func (v *checker) checkFunctionResponseBlob(at *codec.Location, b *geminiapi.FunctionResponseBlob) {
	v.mediaType(at, textOf(b.MIMEType))
	v.base64(at, textOf(b.Data))
}

func (v *checker) checkFunctionResponseFileData(at *codec.Location,
	f *geminiapi.FunctionResponseFileData) {
	v.fileURI(at, f.FileURI)
	if v.backend == VertexAI {
		v.mediaType(at, textOf(f.MIMEType))
	}
}
