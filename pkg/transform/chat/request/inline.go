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

// InlineMedia returns a copy of the request with the media of http and https addresses as data
// URLs. The fetcher downloads them. [ToGemini] accepts the result:
//
//	in, err := request.InlineMedia(ctx, in, fetcher)
//	...
//	out, report, err := request.ToGemini(in)
//
// Addresses that Google itself can read stay: gs:// addresses, files of the Files API and YouTube
// videos. Media that the conversion omits stay addresses too, such as media of a system message.
// Media that cannot be downloaded are an *[Error]. If fetcher is nil, every other address is an
// *[Error]; use this to refuse them.
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

// NameMediaTypes returns a copy of the request that states the MIME type of media at http and https
// addresses. The type goes into extra_content. The fetcher asks the server for it if the file
// extension of the address does not determine it. If the server does not answer, the address stays
// without a type and is reported. If fetcher is nil, no server is asked.
//
// The given request is not changed. The result shares memory with it.
func NameMediaTypes(ctx context.Context, in *openaiapi.CreateChatCompletionRequest,
	fetcher transform.MediaTypeFetcher) (*openaiapi.CreateChatCompletionRequest, report.Report) {
	if fetcher == nil {
		return in, nil
	}
	var entries report.Report
	// never fails
	out, _ := withRemoteMedia(in,
		func(p *openaiapi.ContentPart, remote *mediapart.Remote, pointer string) error {
			if remote.MIMEType != "" {
				return nil
			}
			mimeType, err := fetcher.Head(ctx, remote.Address)
			if err != nil {
				entries.Add(report.Approximated, pointer,
					"sent without a type, because its server could not be asked")
				return nil
			}
			setMediaType(p, mimeType)
			return nil
		})
	return out, entries
}

// changeRemote changes a part that has remote media. pointer is the pointer of the address in the
// request.
type changeRemote func(p *openaiapi.ContentPart, remote *mediapart.Remote, pointer string) error

// withRemoteMedia returns the request with changed copies of the parts that have remote media. It
// skips parts that the conversion does not use.
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
			continue // the conversion does not use images of this role
		}
		images, err := changed(m.Images, conversation.Of("/messages", i).In("images", 0), change)
		if err != nil {
			return nil, err
		}
		m.Images = images
	}
	return &out, nil
}

// changed returns a list with changed copies of the parts that have remote media.
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
