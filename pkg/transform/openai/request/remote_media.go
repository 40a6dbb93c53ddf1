package request

import (
	"cmp"
	"context"
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// MediaFetcher gets media from addresses that the writer of a request has chosen, which is anybody who
// may send one. So it is the fetcher that must decide which addresses it goes to (not into private
// networks, neither by name nor by a redirect), which MIME types it takes, how many bytes it reads and
// how long it waits.
//
// [InlineMedia] and [NameMediaTypes] call it in the order of the messages, from their own goroutine, once
// for each time that an address occurs: history repeats addresses, and a fetcher may remember what it got.
// The same fetcher may be used by several of them at a time.
//
// Addresses may hold secrets, such as those of signed URLs. Errors become part of those of [InlineMedia],
// so they should not quote more of an address than its host.
type MediaFetcher interface {
	// Head returns the MIME type of what is at an http or https address without getting it, such as
	// "image/png", with or without parameters; "" when the server sends none.
	Head(ctx context.Context, url string) (mimeType string, err error)
	// Fetch gets what is at an http or https address, and its MIME type as Head returns it. The bytes are
	// not changed and not kept.
	Fetch(ctx context.Context, url string) (mimeType string, data []byte, err error)
}

// InlineMedia returns a request that has the media at http and https addresses in it, as data URLs, got
// with the fetcher. [ToGemini] takes it:
//
//	in, err := request.InlineMedia(ctx, in, fetcher)
//	...
//	out, report, err := request.ToGemini(in)
//
// Media that Google itself can get, such as gs:// addresses, files of the Files API and videos of YouTube,
// stay addresses. What cannot be got is an *[Error], and so is every other address when fetcher is nil, which is
// how to refuse them. The model is not known here: also media of tool results are got, which some models
// do not take.
//
// The given request is not changed. The result shares memory with it.
func InlineMedia(ctx context.Context, in *openaiapi.CreateChatCompletionRequest, fetcher MediaFetcher) (*openaiapi.CreateChatCompletionRequest, error) {
	return withRemoteMedia(in, func(p *openaiapi.ContentPart, remote remoteMedia) error {
		if fetcher == nil {
			return &Error{Pointer: remote.pointer, Problem: "media by address are refused; a data URL is taken"}
		}
		declared, data, err := fetcher.Fetch(ctx, remote.address)
		switch {
		case err != nil:
			return &Error{Pointer: remote.pointer, Problem: "the media cannot be fetched", Err: err}
		case len(data) == 0:
			return &Error{Pointer: remote.pointer, Problem: "there is nothing at the address"}
		}
		encoded := base64.StdEncoding.EncodeToString(data)
		mimeType := media.Type(declared, cmp.Or(remote.mimeType, media.TypeByName(remote.address)), encoded)
		setMedia(p, wiretype.InlineMedia(mimeType, encoded))
		return nil
	})
}

// NameMediaTypes returns a request in which media at http and https addresses have their MIME type beside
// them, in extra_content, where the extension of the address does not stand for it. The fetcher asks
// for it. An address that cannot be asked stays without a type, and is reported. Without a fetcher, when it
// is nil, nothing is asked.
//
// The given request is not changed. The result shares memory with it.
func NameMediaTypes(ctx context.Context, in *openaiapi.CreateChatCompletionRequest, fetcher MediaFetcher) (*openaiapi.CreateChatCompletionRequest, transform.Report) {
	if fetcher == nil {
		return in, nil
	}
	var report transform.Report
	out, _ := withRemoteMedia(in, func(p *openaiapi.ContentPart, remote remoteMedia) error { // which does not fail
		if remote.mimeType != "" || typeOfAddress(remote.address) != "" {
			return nil
		}
		mimeType, err := fetcher.Head(ctx, remote.address)
		if err != nil {
			report.Add(transform.Approximated, remote.pointer, "passed on without a type, as its server could not be asked")
		} else if mimeType = media.CanonicalType(mimeType); mimeType != "" {
			setMediaType(p, mimeType)
		}
		return nil
	})
	return out, report
}

// remoteMedia are media at an http or https address.
type remoteMedia struct {
	address  string
	mimeType string // by a format or a name; "" where only the address has it
	pointer  string // of the address in the request
}

// withRemoteMedia returns the request with changed copies of the parts that are remote media.
func withRemoteMedia(in *openaiapi.CreateChatCompletionRequest, change func(*openaiapi.ContentPart, remoteMedia) error) (*openaiapi.CreateChatCompletionRequest, error) {
	if in == nil {
		return nil, nil
	}
	out := *in
	out.Messages = slices.Clone(in.Messages)
	for i := range out.Messages {
		m, pointer := &out.Messages[i], "/messages/"+strconv.Itoa(i)
		if m.Role == openaiapi.RoleSystem || m.Role == openaiapi.RoleDeveloper {
			continue // which have no media
		}
		if parts, isList := m.Content.AsValue(); isList {
			parts, err := changeRemoteMedia(parts, pointer+"/content", change)
			if err != nil {
				return nil, err
			}
			m.Content = wiretype.ValueOf(parts)
		}
		if m.Role != openaiapi.RoleAssistant {
			continue // whose images are not converted
		}
		images, err := changeRemoteMedia(m.Images, pointer+"/images", change)
		if err != nil {
			return nil, err
		}
		m.Images = images
	}
	return &out, nil
}

// changeRemoteMedia returns a list with changed copies of the parts that are remote media.
func changeRemoteMedia(parts []openaiapi.ContentPart, list string, change func(*openaiapi.ContentPart, remoteMedia) error) ([]openaiapi.ContentPart, error) {
	parts = slices.Clone(parts)
	for i := range parts {
		p := &parts[i]
		kind := partType(p)
		if !isAnything(kind) || isText(kind) {
			continue
		}
		from := sourceOf(p, kind)
		address := from.remoteAddress()
		if address == "" {
			continue
		}
		if google := googleOf(p.ExtraContent); google != nil && google.MIMEType != nil {
			from.mimeType = *google.MIMEType
		}
		err := change(p, remoteMedia{address, from.mimeType, list + "/" + strconv.Itoa(i) + from.member})
		if err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// typeOfAddress returns the type that the extension of an address stands for, "" for an unknown one.
func typeOfAddress(address string) string {
	parsed, err := parseAddress(address)
	if err != nil {
		return ""
	}
	return media.TypeByName(parsed.Path)
}

// setMedia puts media into a part, in place of their address.
func setMedia(p *openaiapi.ContentPart, data wiretype.MediaURL) {
	switch partType(p) {
	case openaiapi.ContentPartTypeImageURL:
		p.ImageURL = new(*p.ImageURL)
		p.ImageURL.URL = data
	case openaiapi.ContentPartTypeInputAudio:
		p.InputAudio = new(*p.InputAudio)
		p.InputAudio.Data = data.String()
	case openaiapi.ContentPartTypeFile:
		p.File = new(*p.File)
		p.File.FileData, p.File.FileID = new(data.String()), nil
	default:
		p.VideoURL = new(*p.VideoURL)
		p.VideoURL.URL = data.String()
	}
}

// setMediaType sets the type of a part's media in its extension.
func setMediaType(p *openaiapi.ContentPart, mimeType string) {
	google := optional.Value(googleOf(p.ExtraContent))
	google.MIMEType = &mimeType
	extra := optional.Value(p.ExtraContent)
	if extra.Google == nil && extra.Vertex != nil {
		extra.Vertex = &google
	} else {
		extra.Google = &google
	}
	p.ExtraContent = &extra
}

// googleOf returns the extension by either of its names.
func googleOf(extra *openaiapi.ExtraContent) *openaiapi.GoogleExtraContent {
	if extra == nil {
		return nil
	}
	return cmp.Or(extra.Google, extra.Vertex)
}
