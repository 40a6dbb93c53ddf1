package jsonx_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/plainjsontest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	geminiSource    = "../../gen/geminiapi/gemini.gen.go"
	openaiSource    = "../../gen/openaiapi/openai.gen.go"
	anthropicSource = "../../gen/anthropicapi/anthropic.gen.go"
)

// tops are the wire types that are not part of other wire types.
var tops = []reflect.Type{
	reflect.TypeFor[geminiapi.GenerateContentRequest](),
	reflect.TypeFor[geminiapi.GenerateContentResponse](),
	reflect.TypeFor[geminiapi.CountTokensRequest](),
	reflect.TypeFor[geminiapi.CountTokensResponse](),
	reflect.TypeFor[geminiapi.ListModelsResponse](),
	reflect.TypeFor[geminiapi.EmbedContentRequest](),
	reflect.TypeFor[geminiapi.EmbedContentResponse](),
	reflect.TypeFor[geminiapi.BatchEmbedContentsRequest](),
	reflect.TypeFor[geminiapi.BatchEmbedContentsResponse](),
	reflect.TypeFor[geminiapi.PredictRequest](),
	reflect.TypeFor[geminiapi.PredictResponse](),
	reflect.TypeFor[geminiapi.CachedContent](),
	reflect.TypeFor[geminiapi.ListCachedContentsResponse](),
	reflect.TypeFor[geminiapi.CreateFileRequest](),
	reflect.TypeFor[geminiapi.CreateFileResponse](),
	reflect.TypeFor[geminiapi.ListFilesResponse](),
	reflect.TypeFor[geminiapi.BatchGenerateContentRequest](),
	reflect.TypeFor[geminiapi.BatchOperation](),
	reflect.TypeFor[geminiapi.ListBatchesResponse](),
	reflect.TypeFor[geminiapi.BatchRequestLine](),
	reflect.TypeFor[geminiapi.BatchResultLine](),
	reflect.TypeFor[geminiapi.AsyncBatchEmbedContentRequest](),
	reflect.TypeFor[geminiapi.EmbedContentBatchOperation](),
	reflect.TypeFor[geminiapi.EmbedContentRequestLine](),
	reflect.TypeFor[geminiapi.EmbedContentResultLine](),
	reflect.TypeFor[geminiapi.Empty](),
	reflect.TypeFor[geminiapi.ErrorResponse](),
	reflect.TypeFor[openaiapi.CreateChatCompletionRequest](),
	reflect.TypeFor[openaiapi.CreateChatCompletionResponse](),
	reflect.TypeFor[openaiapi.CreateChatCompletionStreamResponse](),
	reflect.TypeFor[openaiapi.CreateEmbeddingRequest](),
	reflect.TypeFor[openaiapi.CreateEmbeddingResponse](),
	reflect.TypeFor[openaiapi.ListModelsResponse](),
	reflect.TypeFor[openaiapi.ErrorResponse](),
	reflect.TypeFor[openaiapi.CreateResponseRequest](),
	reflect.TypeFor[openaiapi.Response](),
	reflect.TypeFor[openaiapi.ResponseEvent](),
	reflect.TypeFor[openaiapi.ResponseItemList](),
	reflect.TypeFor[openaiapi.DeletedResponse](),
	reflect.TypeFor[openaiapi.CountInputTokensRequest](),
	reflect.TypeFor[openaiapi.CountInputTokensResponse](),
	reflect.TypeFor[openaiapi.CompactResponseRequest](),
	reflect.TypeFor[openaiapi.CompactedResponse](),
	reflect.TypeFor[openaiapi.File](),
	reflect.TypeFor[openaiapi.ListFilesResponse](),
	reflect.TypeFor[openaiapi.DeletedFile](),
	reflect.TypeFor[openaiapi.CreateBatchRequest](),
	reflect.TypeFor[openaiapi.Batch](),
	reflect.TypeFor[openaiapi.ListBatchesResponse](),
	reflect.TypeFor[anthropicapi.CreateMessageRequest](),
	reflect.TypeFor[anthropicapi.StreamEvent](),
	reflect.TypeFor[anthropicapi.MessageTokensCount](),
	reflect.TypeFor[anthropicapi.ErrorResponse](),
	reflect.TypeFor[anthropicapi.ListModelsResponse](),
}

// wireTypes returns the tops and all types in them.
func wireTypes() []reflect.Type {
	var out []reflect.Type
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		out = append(out, t)
		for field := range t.Fields() {
			if held := plainjsontest.Innermost(field.Type); held != nil {
				visit(held)
			}
		}
	}
	for _, t := range tops {
		visit(t)
	}
	return out
}

func TestEveryDescribedTypeIsAWireType(t *testing.T) {
	t.Parallel()
	var walked []string
	for _, typ := range wireTypes() {
		walked = append(walked, typ.String())
	}
	described := slices.Concat(describedTypes(t, geminiSource), describedTypes(t, openaiSource),
		describedTypes(t, anthropicSource))
	if diff := cmp.Diff(described, walked,
		cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
		t.Errorf("described (-), and held by one of the tops (+):\n%s", diff)
	}
}

// describedTypes returns the names of the structs in a generated file that keep unknown members.
// The parameters of an address are not JSON and keep none.
func describedTypes(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok && keepsUnknown(spec.Type) {
			out = append(out, file.Name.Name+"."+spec.Name.Name)
		}
		return true
	})
	return out
}

func keepsUnknown(expr ast.Expr) bool {
	of, ok := expr.(*ast.StructType)
	if !ok {
		return false
	}
	for _, field := range of.Fields.List {
		if len(field.Names) == 1 && field.Names[0].Name == "Unknown" {
			return true
		}
	}
	return false
}
