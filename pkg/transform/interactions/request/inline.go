package request

import (
	"context"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
func InlineMedia(ctx context.Context, in *interactionsapi.CreateInteractionRequest,
	fetcher transform.MediaFetcher) (*interactionsapi.CreateInteractionRequest, error) {
	if in == nil {
		return nil, nil
	}
	form, _ := in.Input.AsValue()
	list, isList := form.AsList()
	if one := form.AsOne(); one != nil {
		list = []interactionsapi.Step{*one}
	}
	w := inliner{ctx, fetcher}
	list = slices.Clone(list)
	for i := range list {
		pointer := "/input"
		if isList {
			pointer += "/" + strconv.Itoa(i)
		}
		if err := w.step(&list[i], pointer); err != nil {
			return nil, asError(err)
		}
	}
	out := *in
	switch {
	case isList:
		out.Input = wiretype.ValueOf(wiretype.ListOf(list))
	case len(list) == 1:
		out.Input = wiretype.ValueOf(wiretype.OneOf(list[0]))
	}
	return &out, nil
}

// inliner replaces addresses by the data that they refer to.
type inliner struct {
	ctx     context.Context
	fetcher transform.MediaFetcher
}

// step replaces the addresses in an element of the input, which may be a block of content.
func (w *inliner) step(s *interactionsapi.Step, pointer string) error {
	if s.URI != nil {
		if err := w.media(&s.URI, &s.Data, &s.MIMEType, pointer); err != nil {
			return err
		}
	}
	if _, isList := s.Content.AsValue(); isList {
		content, err := w.content(interactions.ContentOf(s), pointer+"/content")
		if err != nil {
			return err
		}
		s.Content = wiretype.ValueOf(content)
	}
	return w.result(&s.Result, s.Type, pointer+"/result")
}

// content returns a copy of content with changed media. pointer is the pointer of the list.
func (w *inliner) content(list []interactionsapi.Content,
	pointer string) ([]interactionsapi.Content, error) {
	list = slices.Clone(list)
	for i := range list {
		c, at := &list[i], pointer+"/"+strconv.Itoa(i)
		if c.URI != nil {
			if err := w.media(&c.URI, &c.Data, &c.MIMEType, at); err != nil {
				return nil, err
			}
		}
		err := w.result(&c.Result, interactionsapi.StepType(c.Type), at+"/result")
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// result replaces the addresses in the result of a function that is a list of content.
func (w *inliner) result(result *jsontext.Value, kind interactionsapi.StepType,
	pointer string) error {
	if kind != interactionsapi.StepTypeFunctionResult ||
		result.Kind() != jsontext.KindBeginArray {
		return nil
	}
	content := contentOf(*result)
	if !slices.ContainsFunc(content, func(c interactionsapi.Content) bool { return c.URI != nil }) {
		return nil
	}
	content, err := w.content(content, pointer)
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(content, jsonx.Canonical)
	if err != nil {
		return refuse(pointer, "not JSON")
	}
	*result = encoded
	return nil
}

// media replaces an address by its data.
func (w *inliner) media(uri, data, mimeType **string, pointer string) error {
	if *data != nil { // which takes precedence
		return nil
	}
	remote, isRemote := mediapart.RemoteOf(&mediapart.Media{MIMEType: *mimeType, Member: "/uri",
		URL: wiretype.MediaAddress(**uri)})
	if !isRemote {
		return nil
	}
	url, err := remote.Fetch(w.ctx, w.fetcher, pointer+"/uri")
	if err != nil {
		return err
	}
	fetched, base64, _ := url.Inline()
	if *mimeType == nil {
		*mimeType = &fetched
	}
	*uri, *data = nil, &base64
	return nil
}
