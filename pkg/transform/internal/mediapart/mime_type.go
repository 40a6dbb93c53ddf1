package mediapart

import (
	"cmp"
	"encoding/base64"
	"path"
	"strings"

	"github.com/gemwire/gemwire/internal/media"
)

// untyped is the MIME type of data of an unknown kind.
const untyped = "application/octet-stream"

// typeOf returns the MIME type of data. The declared type counts, unless it names no kind of data
// or the first bytes show another image. Next come the type that a name or a format suggests, and
// the type that the bytes suggest.
func typeOf(declared, suggested, data string) string {
	mimeType := CanonicalType(declared)
	if isUntyped(mimeType) {
		mimeType = CanonicalType(suggested)
	}
	seen := sniff(data)
	switch {
	case isUntyped(mimeType):
		return cmp.Or(seen, untyped)
	case certainImages[mimeType] && certainImages[seen]:
		return seen
	default:
		return mimeType
	}
}

// certainImages lists types whose first bytes are unambiguous, so they take precedence over a name.
// It is never modified.
var certainImages = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true,
	"image/webp": true, "image/bmp": true}

// isUntyped reports whether a type names no kind of data: empty, any image (image/*), or bytes.
func isUntyped(mimeType string) bool {
	switch mimeType {
	case "", untyped, "binary/octet-stream", "application/x-binary", "application/unknown":
		return true
	}
	major, minor, _ := strings.Cut(mimeType, "/")
	return major == "" || minor == "" || minor == "*"
}

// CanonicalType returns Gemini's name for a type: in lower case and without parameters. Sound types
// keep theirs, because the rate is one.
func CanonicalType(mimeType string) string {
	mimeType = strings.TrimSpace(mimeType)
	if media.HasType(mimeType, "audio/") && strings.Contains(mimeType, ";") {
		return mimeType
	}
	mimeType, _, _ = strings.Cut(mimeType, ";")
	mimeType = strings.ToLower(strings.TrimSpace(mimeType))
	if known, ok := typeAliases[mimeType]; ok {
		return known
	}
	return mimeType
}

// typeAliases maps unregistered type names that are in use to the registered ones. It is never
// modified.
var typeAliases = map[string]string{
	"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png",
	"image/x-ms-bmp": "image/bmp",
	"audio/x-wav":    "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav",
	"audio/x-mp3":  "audio/mp3",
	"audio/x-flac": "audio/flac", "audio/x-aac": "audio/aac", "audio/x-aiff": "audio/aiff",
	"audio/x-m4a": "audio/m4a",
	"video/mov":   "video/quicktime", "video/x-quicktime": "video/quicktime",
	"video/x-mp4":       "video/mp4",
	"application/x-pdf": "application/pdf",
}

// typesByExtension maps file extensions to types. It is never modified.
var typesByExtension = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".jpe": "image/jpeg",
	".jfif": "image/jpeg",
	".gif":  "image/gif", ".webp": "image/webp", ".bmp": "image/bmp", ".svg": "image/svg+xml",
	".heic": "image/heic",
	".heif": "image/heif", ".avif": "image/avif", ".tif": "image/tiff", ".tiff": "image/tiff",

	".wav": "audio/wav", ".mp3": "audio/mpeg", ".aac": "audio/aac", ".aif": "audio/aiff",
	".aiff": "audio/aiff",
	".ogg":  "audio/ogg", ".oga": "audio/ogg", ".opus": "audio/opus", ".flac": "audio/flac",
	".m4a": "audio/m4a",

	".mp4": "video/mp4", ".m4v": "video/mp4", ".mpeg": "video/mpeg", ".mpg": "video/mpeg",
	".mov": "video/quicktime",
	".avi": "video/x-msvideo", ".flv": "video/x-flv", ".webm": "video/webm", ".wmv": "video/wmv",
	".3gp": "video/3gpp",
	".mkv": "video/x-matroska",

	".pdf": "application/pdf", ".json": "application/json", ".rtf": "text/rtf", ".xml": "text/xml",
	".txt": "text/plain", ".log": "text/plain", ".md": "text/md", ".markdown": "text/md",
	".html": "text/html",
	".htm":  "text/html", ".css": "text/css", ".csv": "text/csv", ".js": "text/javascript",
	".py": "text/x-python",
}

// TypeByName returns the type for the extension of a name or a path, or "".
func TypeByName(name string) string {
	return typesByExtension[strings.ToLower(path.Ext(name))]
}

// pcm is the type of sound without a header. Both OpenAI and Gemini make it with 24,000 samples of
// 16 bits per second on one channel.
const pcm = "audio/L16;rate=24000"

// TypeOfFormat returns the type of a sound format, or "" for "". Nearly all formats have the name
// of their type, such as wav and flac.
func TypeOfFormat(format string) string {
	switch name := strings.ToLower(format); {
	case name == "":
		return ""
	case name == "mp3":
		return "audio/mpeg"
	case name == "pcm16":
		return pcm
	case strings.Contains(name, "/"):
		return CanonicalType(format)
	default:
		return "audio/" + name
	}
}

// SoundType returns the type of a sound in base64 from its bytes.
func SoundType(data string) string { return cmp.Or(sniff(data), pcm) }

// fileSignatures maps the first bytes of files to types. If further is not "", bytes at a second
// offset must match too. The first match counts. It is never modified.
var fileSignatures = []struct {
	begins   string
	offset   int
	further  string
	mimeType string
}{
	{begins: "\x89PNG\r\n\x1a\n", mimeType: "image/png"},
	{begins: "\xff\xd8\xff", mimeType: "image/jpeg"},
	{begins: "GIF87a", mimeType: "image/gif"},
	{begins: "GIF89a", mimeType: "image/gif"},
	{begins: "RIFF", offset: 8, further: "WEBP", mimeType: "image/webp"},
	{begins: "RIFF", offset: 8, further: "WAVE", mimeType: "audio/wav"},
	{begins: "RIFF", offset: 8, further: "AVI ", mimeType: "video/x-msvideo"},
	{begins: "BM", offset: 6, further: "\x00\x00\x00\x00", mimeType: "image/bmp"},
	{begins: "II*\x00", mimeType: "image/tiff"},
	{begins: "MM\x00*", mimeType: "image/tiff"},
	{offset: 4, further: "ftypheic", mimeType: "image/heic"},
	{offset: 4, further: "ftypheix", mimeType: "image/heic"},
	{offset: 4, further: "ftypmif1", mimeType: "image/heif"},
	{offset: 4, further: "ftypavif", mimeType: "image/avif"},
	{offset: 4, further: "ftypqt  ", mimeType: "video/quicktime"},
	{offset: 4, further: "ftypM4A ", mimeType: "audio/m4a"},
	{offset: 4, further: "ftyp3gp", mimeType: "video/3gpp"},
	{offset: 4, further: "ftyp", mimeType: "video/mp4"},
	{begins: "\x1aE\xdf\xa3", mimeType: "video/webm"},
	{begins: "\x00\x00\x01\xba", mimeType: "video/mpeg"},
	{begins: "FLV\x01", mimeType: "video/x-flv"},
	{begins: "%PDF-", mimeType: "application/pdf"},
	{begins: "ID3", mimeType: "audio/mpeg"},
	{begins: "\xff\xfb", mimeType: "audio/mpeg"},
	{begins: "\xff\xf3", mimeType: "audio/mpeg"},
	{begins: "\xff\xf2", mimeType: "audio/mpeg"},
	{begins: "\xff\xf1", mimeType: "audio/aac"},
	{begins: "\xff\xf9", mimeType: "audio/aac"},
	{begins: "OggS", mimeType: "audio/ogg"},
	{begins: "fLaC", mimeType: "audio/flac"},
	{begins: "FORM", offset: 8, further: "AIFF", mimeType: "audio/aiff"},
}

// sniff returns the type that the first bytes of base64 indicate, or "".
func sniff(data string) string {
	const chars = 32 // base64 characters for 24 bytes
	var first [chars / 4 * 3]byte
	n := decodeFirst(first[:], data[:min(len(data), chars)])
	head := string(first[:n])
	for i := range fileSignatures {
		s := &fileSignatures[i]
		if strings.HasPrefix(head, s.begins) &&
			(s.further == "" ||
				len(head) > s.offset && strings.HasPrefix(head[s.offset:], s.further)) {
			return s.mimeType
		}
	}
	return ""
}

// decodeFirst decodes the start of base64 of either alphabet, with or without padding.
func decodeFirst(dst []byte, data string) int {
	data = strings.TrimRight(data, "=")
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(data, "-_") {
		encoding = base64.RawURLEncoding
	}
	n, _ := encoding.Decode(dst, []byte(data))
	return n
}
