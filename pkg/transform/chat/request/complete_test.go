package request_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// requestModes are the conversions in which nothing may be lost silently.
var requestModes = map[string][]request.Option{
	"Gemini API":            nil,
	"Vertex AI":             {request.ForVertexAI()},
	"in Gemini's own forms": {request.WithSchemaForm(), request.WithMetadataAsLabels()},
}

// TestNoRequestIsConvertedWithSilentLoss changes every value of every request of
// internal/test/openaitest/requests in turn. The converted request or a report must show the
// change, or the changed request is refused.
func TestNoRequestIsConvertedWithSilentLoss(t *testing.T) {
	t.Parallel()
	for name, document := range requestDocuments(t) {
		for mode, opts := range requestModes {
			t.Run(name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				opts := append(slices.Clone(opts), request.WithoutValidation())
				before, report, err := geminiRequest(document, opts...)
				if err != nil {
					t.Fatal(err) // would prove nothing
				}
				leaves, err := leaftest.All(document)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range leaves {
					after, reportAfter, err := geminiRequest(l.Change(document), opts...)
					reported := report.Covers(l.Pointer) || reportAfter.Covers(l.Pointer)
					if err == nil && !reported && bytes.Equal(before, after) {
						t.Errorf("%s is lost silently", l.Pointer)
					}
				}
			})
		}
	}
}

// Each of the requests must be valid, because a refused request proves nothing.
func TestTheRequestsOfTestdataAreConverted(t *testing.T) {
	t.Parallel()
	for name, document := range requestDocuments(t) {
		if _, _, err := geminiRequest(document); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func geminiRequest(document []byte, opts ...request.Option) ([]byte, report.Report, error) {
	in, err := openai.DecodeRequest(document)
	if err != nil {
		return nil, nil, err
	}
	out, report, err := request.ToGemini(in, opts...)
	if err != nil {
		return nil, report, err
	}
	data, err := gemini.EncodeRequest(out)
	return data, report, err
}

func requestDocuments(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../../../internal/test/openaitest/requests/*.json")
	if err != nil || len(paths) < 60 {
		t.Fatalf("%d requests: %v", len(paths), err)
	}
	out := map[string][]byte{}
	for _, path := range paths {
		document, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".json")] = document
	}
	return out
}

// TestTheRequestsOfTestdataHaveEveryMember fails when the description of requests gets a member
// that no request of testdata has.
func TestTheRequestsOfTestdataHaveEveryMember(t *testing.T) {
	t.Parallel()
	missing := map[string]bool{}
	listMembers(reflect.TypeFor[openaiapi.CreateChatCompletionRequest](), missing)
	for _, document := range requestDocuments(t) {
		in, err := openai.DecodeRequest(document)
		if err != nil {
			t.Fatal(err)
		}
		strikeMembers(reflect.ValueOf(in), missing)
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("no request has %s", name)
	}
}

// listMembers lists the members of a type and of its members' types in this format: TYPE.MEMBER.
func listMembers(typ reflect.Type, out map[string]bool) {
	switch {
	case typ.Kind() == reflect.Pointer, typ.Kind() == reflect.Slice, typ.Kind() == reflect.Map:
		listMembers(typ.Elem(), out)
	case isUnion(typ):
		value, _ := typ.FieldByName("value")
		listMembers(value.Type, out)
	case isOfFormat(typ):
		for i := range typ.NumField() {
			field := typ.Field(i)
			name := typ.Name() + "." + field.Name
			if field.Name == "Unknown" &&
				typ != reflect.TypeFor[openaiapi.CreateChatCompletionRequest]() || out[name] {
				continue
			}
			out[name] = true
			listMembers(field.Type, out)
		}
	}
}

// strikeMembers removes the members of a value from the list.
func strikeMembers(v reflect.Value, missing map[string]bool) {
	typ := v.Type()
	switch {
	case typ.Kind() == reflect.Pointer:
		if !v.IsNil() {
			strikeMembers(v.Elem(), missing)
		}
	case typ.Kind() == reflect.Slice:
		for i := range v.Len() {
			strikeMembers(v.Index(i), missing)
		}
	case isUnion(typ):
		strikeMembers(v.FieldByName("value"), missing)
	case isOfFormat(typ):
		for i := range typ.NumField() {
			if field := v.Field(i); !field.IsZero() {
				delete(missing, typ.Name()+"."+typ.Field(i).Name)
				strikeMembers(field, missing)
			}
		}
	}
}

// isUnion reports whether a type is a string or another type.
func isUnion(typ reflect.Type) bool { return strings.HasPrefix(typ.Name(), "StringOr[") }

func isOfFormat(typ reflect.Type) bool {
	return typ.Kind() == reflect.Struct &&
		typ.PkgPath() == reflect.TypeFor[openaiapi.ChatMessage]().PkgPath() &&
		typ.PkgPath() != reflect.TypeFor[geminiapi.Part]().PkgPath()
}
