package request

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// source is what a content part says of its media.
type source struct {
	url      wiretype.MediaURL
	mimeType string // what else than the URL tells it: a format, a name; "" for nothing
	name     string // of the file
}

// media converts media, inline or by address. The member is where the address or the data is, for the
// report. Without any media the part stays empty, and that is reported.
func (b *conversation) media(from source, google *openaiapi.GoogleExtraContent, at location, member string) (geminiapi.Part, error) {
	var part geminiapi.Part
	if google != nil && google.MIMEType != nil {
		from.mimeType = *google.MIMEType
	}
	in, err := media.ParseInline(from.url)
	switch {
	case err != nil:
		return part, &Error{Pointer: at.pointer(member), Problem: "the data URL cannot be understood", Err: err}
	case in.OK && in.Data != "":
		part.InlineData = b.blob(in, &from, google, at, member)
	case from.url.IsZero() || in.OK:
		b.report.Add(transform.Lost, at.pointer(""), "there are no media in it")
	default:
		if err := b.address(&part, &from, at, member); err != nil {
			return part, err
		}
	}
	if google != nil && (part.InlineData != nil || part.FileData != nil) {
		part.VideoMetadata = google.VideoMetadata
		b.setResolution(&part, google.MediaResolution, at)
	}
	return part, nil
}

// blob makes the part's data of media that came inline.
func (b *conversation) blob(in media.Inline, from *source, google *openaiapi.GoogleExtraContent, at location, member string) *geminiapi.Blob {
	var mimeType string
	if google != nil && google.MIMEType != nil {
		mimeType = *google.MIMEType
	} else {
		mimeType = media.Type(in.MIMEType, from.mimeType, in.Data)
	}
	switch {
	case mimeType == in.MIMEType:
	case in.MIMEType != "":
		b.report.Add(transform.Approximated, at.pointer(member), "the type is another than the data URL says")
	case mimeType == media.Untyped:
		b.report.Add(transform.Added, at.pointer(member), "nothing tells the type of the data")
	}
	return newBlob(mimeType, in.Data, b.displayName(from))
}

func newBlob(mimeType, data string, name *string) *geminiapi.Blob {
	return &geminiapi.Blob{MIMEType: &mimeType, Data: &data, DisplayName: name}
}

// displayName returns the name of a file for Vertex AI, the only backend that has a member for it.
func (b *conversation) displayName(from *source) *string {
	if !b.vertex {
		return nil
	}
	return optional.Text(from.name)
}

// address sets media that are given by an address.
func (b *conversation) address(part *geminiapi.Part, from *source, at location, member string) error {
	address := strings.TrimSpace(from.url.String())
	parsed, err := url.Parse(address)
	if err != nil {
		return &Error{Pointer: at.pointer(member), Problem: "neither an address nor a data URL"}
	}
	parsed.Scheme = strings.ToLower(parsed.Scheme)
	kind := hostOf(parsed)
	switch kind {
	case addressUnknown:
		return &Error{Pointer: at.pointer(member), Problem: "not an address that Gemini could reach; those begin with https://, http://, gs:// or files/"}
	case addressRemote:
		return b.remote(part, from, parsed, address, at, member)
	case addressFileName:
		if !b.vertex {
			b.report.Add(transform.Approximated, at.pointer(member), "completed to the address of the file")
			address = filesAPI + address
		}
	}
	mimeType := cmp.Or(from.mimeType, media.TypeByName(parsed.Path))
	if kind == addressYouTube && b.vertex && mimeType == "" {
		mimeType = "video/mp4" // which Vertex AI wants to be told, though there is only this
	}
	part.FileData = b.fileData(address, mimeType, from)
	return nil
}

func (b *conversation) fileData(address, mimeType string, from *source) *geminiapi.FileData {
	return &geminiapi.FileData{MIMEType: optional.Text(mimeType), FileURI: &address, DisplayName: b.displayName(from)}
}

// remote applies the policy for media at http and https addresses.
func (b *conversation) remote(part *geminiapi.Part, from *source, parsed *url.URL, address string, at location, member string) error {
	switch {
	case b.remoteMedia == RemoteMediaRefused, b.remoteMedia == remoteMediaInlined && b.fetcher == nil:
		return &Error{Pointer: at.pointer(member), Problem: "media by address are refused; a data URL is taken"}
	case b.remoteMedia == remoteMediaInlined:
		return b.fetch(part, from, address, at, member)
	}
	mimeType := cmp.Or(from.mimeType, media.TypeByName(parsed.Path))
	if mimeType == "" && b.fetcher != nil {
		told, err := b.fetcher.Head(b.fetchWith, address)
		if err != nil {
			b.report.Add(transform.Approximated, at.pointer(member), "passed on without a type, as its server could not be asked")
		}
		mimeType = media.CanonicalType(told)
	}
	part.FileData = b.fileData(address, mimeType, from)
	return nil
}

// fetch gets media and puts them into the request.
func (b *conversation) fetch(part *geminiapi.Part, from *source, address string, at location, member string) error {
	told, data, err := b.fetcher.Fetch(b.fetchWith, address)
	switch {
	case err != nil:
		return &Error{Pointer: at.pointer(member), Problem: "the media cannot be fetched", Err: err}
	case len(data) == 0:
		return &Error{Pointer: at.pointer(member), Problem: "there is nothing at the address"}
	}
	encoded := base64.StdEncoding.EncodeToString(data)
	part.InlineData = newBlob(media.Type(told, cmp.Or(from.mimeType, media.TypeByName(address)), encoded), encoded, b.displayName(from))
	return nil
}

// mediaHost says who can get what is at an address.
type mediaHost int

const (
	addressUnknown  mediaHost = iota
	addressRemote             // anybody, over http
	addressStored             // Google: Cloud Storage and the Files API
	addressFileName           // Google: a file of the Files API by its name
	addressYouTube            // Google: a public video
)

// filesAPI is in front of the names of files in their addresses.
const filesAPI = "https://generativelanguage.googleapis.com/v1beta/"

// youTubeHosts are the hosts of videos that Gemini gets itself. It is never written to.
var youTubeHosts = map[string]bool{
	"youtube.com": true, "www.youtube.com": true, "m.youtube.com": true, "music.youtube.com": true,
	"youtu.be": true, "www.youtu.be": true, "youtube-nocookie.com": true, "www.youtube-nocookie.com": true,
}

func hostOf(u *url.URL) mediaHost {
	host := strings.ToLower(u.Hostname())
	switch {
	case u.Scheme == "gs" && host != "":
		return addressStored
	case u.Scheme == "" && host == "" && strings.HasPrefix(u.Path, "files/"):
		return addressFileName
	case u.Scheme != "https" && u.Scheme != "http" || host == "":
		return addressUnknown
	case youTubeHosts[host]:
		return addressYouTube
	case host == "generativelanguage.googleapis.com" && strings.Contains(u.Path, "/files/"):
		return addressStored
	default:
		return addressRemote
	}
}
