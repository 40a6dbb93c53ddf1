package mediapart

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// Media is what a content part of any form has about its media. Members of the part are named by
// pointers, such as "/image_url/url"; "" is one that is not there.
type Media struct {
	// URL is where the media are: a data URL in any spelling, or an address. [Bare] makes one of
	// base64 alone.
	URL wiretype.MediaURL
	// Member is where the URL is in the part.
	Member string
	// TypeMember is where the type of inline media is, if it is not in the URL.
	TypeMember string
	// Suggested is the type by a format or by the name of a file; "" where only the URL has it.
	// [TypeByName] and [TypeOfFormat] know it.
	Suggested string
	// FormatMember is where Suggested is, if it is the format of sound.
	FormatMember string
	// FileName is the name of a file, and FileNameMember where that is.
	FileName, FileNameMember string
	// FileIDMember is where the id of a file is that is itself in the part.
	FileIDMember string
	// Detail is how closely an image is to be looked at.
	Detail Detail

	// MIMEType, Video and Resolution are Google's own members of a part. The type counts more than
	// any other.
	MIMEType   *string
	Video      *geminiapi.VideoMetadata
	Resolution *geminiapi.PartMediaResolution

	// Unknown are the members that no description knows, and UnknownMember is where they are. Those
	// beside a video may tell its clip, if IsVideo is set.
	Unknown       jsontext.Value
	UnknownMember string
	IsVideo       bool
}

// typeBeside returns the type that stands beside the media, "" when nothing does.
func (m *Media) typeBeside() string {
	if m.MIMEType != nil {
		return *m.MIMEType
	}
	return m.Suggested
}

// address returns the address of media that are elsewhere.
func (m *Media) address() string { return strings.TrimSpace(m.URL.String()) }

// IsInline reports whether a URL holds its media, in the form of the standard.
func IsInline(u wiretype.MediaURL) bool {
	_, _, ok := u.Inline()
	return ok
}
