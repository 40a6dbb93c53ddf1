package mediapart

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// Media describes the media of a content part in any form. Pointers such as "/image_url/url" name
// members of the part; "" is a missing member.
type Media struct {
	// URL is a data URL in any spelling, or an address. [Bare] makes one from base64 without a
	// prefix.
	URL wiretype.MediaURL
	// Member is the pointer of the URL in the part.
	Member string
	// TypeMember is the pointer of the inline media's type, if the URL does not have it.
	TypeMember string
	// Suggested is the type that a format or a file name suggests, or "". [TypeByName] and
	// [TypeOfFormat] return it.
	Suggested string
	// FormatMember is the pointer of the sound format that Suggested comes from.
	FormatMember string
	// FileName is the name of a file, and FileNameMember its pointer.
	FileName, FileNameMember string
	// FileIDMember is the pointer of the id of a file that is in the part itself.
	FileIDMember string
	// Detail is the detail level of an image.
	Detail Detail

	// MIMEType, Video and Resolution are Google's own members of a part. The type takes precedence
	// over any other.
	MIMEType   *string
	Video      *geminiapi.VideoMetadata
	Resolution *geminiapi.PartMediaResolution

	// Unknown are the unknown members, and UnknownMember is their pointer. For a video they can set
	// the clip, if IsVideo is set.
	Unknown       jsontext.Value
	UnknownMember string
	IsVideo       bool
}

// typeNextTo returns the type that is next to the media, or "".
func (m *Media) typeNextTo() string {
	if m.MIMEType != nil {
		return *m.MIMEType
	}
	return m.Suggested
}

// address returns the address of media that are not in the part.
func (m *Media) address() string { return strings.TrimSpace(m.URL.String()) }

// IsInline reports whether a URL is a data URL in standard form.
func IsInline(u wiretype.MediaURL) bool {
	_, _, ok := u.Inline()
	return ok
}
