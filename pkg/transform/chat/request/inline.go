package request

import (
	"context"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// InlineMedia returns a request that has the media at http and https addresses in it, as data URLs,
// got with the fetcher. [ToGemini] takes it:
//
//	in, err := request.InlineMedia(ctx, in, fetcher)
//	...
//	out, report, err := request.ToGemini(in)
//
// Media that Google itself can get, such as gs:// addresses, files of the Files API and videos of
// YouTube, stay addresses, and so do those that the conversion leaves out, such as the media of a
// message of the system. What cannot be got is an *[Error], and so is every other address when
// fetcher is nil, which is how to refuse them.
//
// The given request is not changed. The result shares memory with it.
func InlineMedia(ctx context.Context, in *openaiapi.CreateChatCompletionRequest,
	fetcher transform.MediaFetcher) (*openaiapi.CreateChatCompletionRequest, error) {
	return withRemoteMedia(in,
		func(p *openaiapi.ContentPart, remote *mediapart.Remote, pointer string) error {
			url, err := remote.Fetch(ctx, fetcher, pointer)
			if err != nil {
				return asError(err)
			}
			setMediaURL(p, partType(p), url)
			return nil
		})
}

// NameMediaTypes returns a request in which media at http and https addresses have their MIME type
// beside them, in extra_content, where the extension of the address does not stand for it. The
// fetcher asks for it. An address that cannot be asked stays without a type, and is reported.
// Without a fetcher, when it is nil, nothing is asked.
//
// The given request is not changed. The result shares memory with it.
func NameMediaTypes(ctx context.Context, in *openaiapi.CreateChatCompletionRequest,
	fetcher transform.MediaTypeFetcher) (*openaiapi.CreateChatCompletionRequest, report.Report) {
	if fetcher == nil {
		return in, nil
	}
	var entries report.Report
	// which does not fail
	out, _ := withRemoteMedia(in,
		func(p *openaiapi.ContentPart, remote *mediapart.Remote, pointer string) error {
			if remote.MIMEType != "" {
				return nil
			}
			mimeType, err := fetcher.Head(ctx, remote.Address)
			if err != nil {
				entries.Add(report.Approximated, pointer,
					"passed on without a type, as its server could not be asked")
				return nil
			}
			setMediaType(p, mimeType)
			return nil
		})
	return out, entries
}

// changeRemote changes a part that is remote media; the pointer is that of the address in the
// request.
type changeRemote func(p *openaiapi.ContentPart, remote *mediapart.Remote, pointer string) error

// withRemoteMedia returns the request with changed copies of the parts that are remote media, as
// far as the conversion would make use of them.
func withRemoteMedia(in *openaiapi.CreateChatCompletionRequest,
	change changeRemote) (*openaiapi.CreateChatCompletionRequest, error) {
	if in == nil {
		return nil, nil
	}
	out := *in
	out.Messages = slices.Clone(in.Messages)
	for i := range out.Messages {
		m := &out.Messages[i]
		if !takesMedia(m.Role) {
			continue
		}
		if parts, isList := m.Content.AsValue(); isList {
			parts, err := changed(parts, conversation.Of("/messages", i).In("content", 0), change)
			if err != nil {
				return nil, err
			}
			m.Content = wiretype.ValueOf(parts)
		}
		if m.Role != openaiapi.RoleAssistant {
			continue // whose images are not converted
		}
		images, err := changed(m.Images, conversation.Of("/messages", i).In("images", 0), change)
		if err != nil {
			return nil, err
		}
		m.Images = images
	}
	return &out, nil
}

// changed returns a list with changed copies of the parts that are remote media.
func changed(parts []openaiapi.ContentPart, at conversation.Location,
	change changeRemote) ([]openaiapi.ContentPart, error) {
	parts = slices.Clone(parts)
	for i := range parts {
		kind := partType(&parts[i])
		if !isKnownPart(kind) || isText(kind) {
			continue
		}
		media := mediaOf(&parts[i], kind)
		remote, ok := mediapart.RemoteOf(&media)
		if !ok {
			continue
		}
		at.Item = i
		if err := change(&parts[i], &remote, at.Pointer(remote.Member)); err != nil {
			return nil, err
		}
	}
	return parts, nil
}
