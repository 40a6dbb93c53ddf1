package request

import (
	"context"
	"slices"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// InlineMedia returns a copy of the request with the media of http and https addresses in base64.
// The fetcher downloads them. [ToGemini] accepts the result:
//
//	in, err := request.InlineMedia(ctx, in, fetcher)
//	...
//	out, report, err := request.ToGemini(in)
//
// Addresses that Google itself can read stay: gs:// addresses, files of the Files API and YouTube
// videos. An address that cannot be fetched is an *[Error]. If fetcher is nil, every other address
// is an *[Error]; use this to refuse them.
//
// The given request is not changed. The result shares memory with it.
func InlineMedia(ctx context.Context, in *anthropicapi.CreateMessageRequest,
	fetcher transform.MediaFetcher) (*anthropicapi.CreateMessageRequest, error) {
	if in == nil {
		return nil, nil
	}
	w := inliner{ctx, fetcher}
	out := *in
	out.Messages = slices.Clone(in.Messages)
	for i := range out.Messages {
		m := &out.Messages[i]
		if blocks, isList := m.Content.AsValue(); isList && m.Role == anthropicapi.RoleUser {
			blocks, err := w.blocks(blocks, "/messages/"+itoa(i)+"/content")
			if err != nil {
				return nil, asError(err)
			}
			m.Content = wiretype.ValueOf(blocks)
		}
	}
	return &out, nil
}

// inliner replaces addresses by the data that they refer to.
type inliner struct {
	ctx     context.Context
	fetcher transform.MediaFetcher
}

// blocks returns a list of blocks with changed copies of the blocks that have media at an address.
// pointer is the pointer of the list.
func (w *inliner) blocks(list []anthropicapi.ContentBlock,
	pointer string) ([]anthropicapi.ContentBlock, error) {
	list = slices.Clone(list)
	for i := range list {
		if err := w.block(&list[i], conversation.Of(pointer, i)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (w *inliner) block(block *anthropicapi.ContentBlock, at conversation.Location) error {
	switch block.Type {
	case anthropicapi.BlockTypeImage, anthropicapi.BlockTypeDocument:
		source, isObject := block.Source.AsValue()
		if !isObject {
			return nil
		}
		err := w.source(&source, at)
		block.Source = wiretype.ValueOf(source)
		return err
	case anthropicapi.BlockTypeToolResult:
		content, _ := block.Content.AsValue()
		if list := content.All(); content.AsOne() == nil && len(list) > 0 {
			list, err := w.blocks(list, at.Pointer("/content"))
			block.Content = wiretype.ValueOf(wiretype.ListOf(list))
			return err
		}
	}
	return nil
}

func (w *inliner) source(source *anthropicapi.Source, at conversation.Location) error {
	switch source.Type {
	case anthropicapi.SourceTypeContent:
		list, isList := source.Content.AsValue()
		if !isList {
			return nil
		}
		list, err := w.blocks(list, at.Pointer("/source/content"))
		source.Content = wiretype.ValueOf(list)
		return err
	case anthropicapi.SourceTypeURL:
		remote, isRemote := mediapart.RemoteOf(
			&mediapart.Media{URL: wiretype.ParseMediaURL(jsonx.Deref(source.URL)),
				Member: "/source/url"})
		if !isRemote {
			return nil
		}
		url, err := remote.Fetch(w.ctx, w.fetcher, at.Pointer(remote.Member))
		if err != nil {
			return err
		}
		mimeType, data, _ := url.Inline()
		source.Type, source.URL, source.MediaType, source.Data = anthropicapi.SourceTypeBase64, nil,
			&mimeType, &data
	}
	return nil
}
