package request

import (
	"context"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
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
func InlineMedia(ctx context.Context, in *openaiapi.CreateResponseRequest,
	fetcher transform.MediaFetcher) (*openaiapi.CreateResponseRequest, error) {
	out, err := withRemoteMedia(in,
		func(p *openaiapi.ResponseContentPart, remote *mediapart.Remote, pointer string) error {
			url, err := remote.Fetch(ctx, fetcher, pointer)
			if err == nil {
				setMediaURL(p, url)
			}
			return err
		})
	if err != nil {
		return nil, asError(err)
	}
	return out, nil
}

// changeRemote changes a part that has remote media. pointer is the pointer of the address in the
// request.
type changeRemote func(p *openaiapi.ResponseContentPart, remote *mediapart.Remote,
	pointer string) error

// withRemoteMedia returns the request with changed copies of the parts that have remote media. It
// skips parts that the conversion does not use.
func withRemoteMedia(in *openaiapi.CreateResponseRequest,
	change changeRemote) (*openaiapi.CreateResponseRequest, error) {
	if in == nil {
		return nil, nil
	}
	items, isList := in.Input.AsValue()
	if !isList {
		return in, nil
	}
	items = slices.Clone(items)
	for i := range items {
		if err := changeItem(&items[i], conversation.Of("/input", i), change); err != nil {
			return nil, err
		}
	}
	out := *in
	out.Input = wiretype.ValueOf(items)
	return &out, nil
}

// changeItem changes the remote media of an item.
func changeItem(item *openaiapi.ResponseItem, at conversation.Location, change changeRemote) error {
	isSystem := item.Role == openaiapi.ResponseRoleSystem ||
		item.Role == openaiapi.ResponseRoleDeveloper
	if parts, isList := item.Content.AsValue(); isList && !isSystem &&
		kindOf(item) == openaiapi.ResponseItemTypeMessage {
		parts, err := changed(parts, at.In("content", 0), change)
		if err != nil {
			return err
		}
		item.Content = wiretype.ValueOf(parts)
	}
	output, isOutput := item.Output.AsValue()
	if !isOutput {
		return nil
	}
	if one := output.AsOne(); one != nil {
		parts, err := changed([]openaiapi.ResponseContentPart{*one},
			at.In("output", conversation.Whole), change)
		if err == nil {
			item.Output = wiretype.ValueOf(wiretype.OneOf(parts[0]))
		}
		return err
	}
	parts, err := changed(output.All(), at.In("output", 0), change)
	if err == nil {
		item.Output = wiretype.ValueOf(wiretype.ListOf(parts))
	}
	return err
}

// changed returns a list with changed copies of the parts that have remote media.
func changed(parts []openaiapi.ResponseContentPart, at conversation.Location,
	change changeRemote) ([]openaiapi.ResponseContentPart, error) {
	parts = slices.Clone(parts)
	for i := range parts {
		kind := partType(&parts[i])
		if _, isText := textOf(&parts[i], kind); isText || partMembers[kind] == nil {
			continue
		}
		media := mediaOf(&parts[i], kind)
		remote, ok := mediapart.RemoteOf(&media)
		if !ok {
			continue
		}
		if at.Item != conversation.Whole {
			at.Item = i
		}
		if err := change(&parts[i], &remote, at.Pointer(remote.Member)); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// setMediaURL replaces the address of a part's media by a URL with the data.
func setMediaURL(p *openaiapi.ResponseContentPart, url wiretype.MediaURL) {
	switch partType(p) {
	case openaiapi.ResponseContentTypeInputAudio:
		p.InputAudio = new(*p.InputAudio)
		p.InputAudio.Data = url.String()
	case openaiapi.ResponseContentTypeInputFile:
		p.FileData, p.FileURL, p.FileID = url.String(), "", ""
	default:
		p.ImageURL, p.FileID = url, ""
	}
}
