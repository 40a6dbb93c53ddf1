package openapi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/speakeasy-api/openapi/overlay"
	"gopkg.in/yaml.v3"
)

// descriptions are the documents of this folder and the Go files made of them.
var descriptions = []struct {
	file      string
	generated []string
}{
	{"gemini.yaml", []string{"../../gen/geminiapi/gemini.gen.go"}},
	{"openai.yaml", []string{"../../gen/openaiapi/openai.gen.go"}},
	{"anthropic.yaml", []string{"../../gen/anthropicapi/anthropic.gen.go"}},
	{"interactions.yaml", []string{"../../gen/interactionsapi/interactions.gen.go"}},
	{"aisdk.yaml", []string{"../../gen/aisdkapi/aisdk.gen.go", "../../gen/aisdkapi/codec.gen.go"}},
}

// document has the members of an OpenAPI document that the tests read.
type document struct {
	Components struct {
		Schemas map[string]*schema `yaml:"schemas"`
	} `yaml:"components"`
}

type schema struct {
	Ref              string             `yaml:"$ref"`
	Type             string             `yaml:"type"`
	Description      string             `yaml:"description"`
	Required         []string           `yaml:"required"`
	Properties       map[string]*schema `yaml:"properties"`
	Items            *schema            `yaml:"items"`
	Additional       yaml.Node          `yaml:"additionalProperties"`
	AllOf            []*schema          `yaml:"allOf"`
	OneOf            []*schema          `yaml:"oneOf"`
	AnyOf            []*schema          `yaml:"anyOf"`
	Enum             []string           `yaml:"enum"`
	EnumDescriptions map[string]string  `yaml:"x-enum-descriptions"`
	EnumNames        map[string]string  `yaml:"x-enum-names"`
	GoType           string             `yaml:"x-go-type"`
	FreeForm         bool               `yaml:"x-free-form"`
}

// unknownMembers is the property that the overlay adds to every object.
const unknownMembers = "x-unknown-members"

func TestEverySchemaAndPropertyIsDescribed(t *testing.T) {
	t.Parallel()
	sentence := regexp.MustCompile(`^[A-Z0-9"` + "`" + `].*\S \S.*\.$`)
	for _, d := range descriptions {
		for name, s := range readDocument(t, d.file).Components.Schemas {
			check := func(what, description string) {
				if !sentence.MatchString(description) {
					t.Errorf("%s: %s: %q is not a sentence", d.file, what, description)
				}
			}
			check(name, s.Description)
			for property, p := range s.Properties {
				check(name+"."+property, p.Description)
			}
			for value, description := range s.EnumDescriptions {
				check(name+" "+value, description)
			}
		}
	}
}

func TestEveryEnumValueIsExplained(t *testing.T) {
	t.Parallel()
	constantName := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	for _, d := range descriptions {
		for name, s := range readGoDocument(t, d.file).Components.Schemas {
			if s.Enum == nil {
				continue
			}
			explained := slices.Sorted(maps.Keys(s.EnumDescriptions))
			if diff := cmp.Diff(slices.Sorted(slices.Values(s.Enum)), explained); diff != "" {
				t.Errorf("%s: %s: values and their descriptions differ (-values +descriptions):\n%s",
					d.file, name, diff)
			}
			for value, goName := range s.EnumNames {
				if !slices.Contains(s.Enum, value) || !constantName.MatchString(goName) {
					t.Errorf("%s: %s: x-enum-names names %q %q: no value of the enum or no Go name",
						d.file, name, value, goName)
				}
			}
		}
	}
}

func TestEveryTypeHasAName(t *testing.T) {
	t.Parallel()
	for _, d := range descriptions {
		for name, s := range readGoDocument(t, d.file).Components.Schemas {
			for property, p := range s.Properties {
				if property == unknownMembers {
					continue
				}
				if complaint := anonymous(p); complaint != "" {
					t.Errorf("%s: %s.%s: %s", d.file, name, property, complaint)
				}
			}
		}
	}
}

// anonymous says what keeps the generator from giving a property a named or plain Go type.
func anonymous(s *schema) string {
	switch {
	case s.Ref != "" || s.GoType != "":
		return ""
	case s.Enum != nil:
		return "an enum without a schema of its own"
	case s.Properties != nil:
		return "an object without a schema of its own"
	case s.OneOf != nil || s.AnyOf != nil:
		return "a union that the overlay maps to no Go type"
	case len(s.AllOf) == 1:
		return anonymous(s.AllOf[0])
	case s.AllOf != nil:
		return "a merged object without a schema of its own"
	case s.Type == "array" && s.Items != nil:
		return anonymous(s.Items)
	case s.Type == "object":
		var values schema
		if err := s.Additional.Decode(&values); err != nil || s.Additional.Kind == 0 {
			return "an object whose members are unknown; free-form JSON says x-free-form"
		}
		return anonymous(&values)
	case s.Type == "":
		return "no type; free-form JSON says x-free-form"
	default:
		return ""
	}
}

func TestEveryOverlayActionHasATarget(t *testing.T) {
	t.Parallel()
	one := readOverlay(t)
	actions := one.Actions
	hit := make([]bool, len(actions))
	for _, d := range descriptions {
		node := readNode(t, d.file)
		for i, action := range actions {
			one.Actions = []overlay.Action{action}
			if _, err := one.ApplyToStrict(node); err == nil {
				hit[i] = true
			}
		}
	}
	for i, action := range actions {
		if !hit[i] {
			t.Errorf("action %d, target %s: no document has such a thing", i+1, action.Target)
		}
	}
}

func TestOpenAITargetsSpareTheGeminiDocument(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("overlay-go.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(data), "- openai.yaml\n")
	if !found {
		t.Fatal("overlay-go.yaml has no section for openai.yaml")
	}
	gemini := readDocument(t, "gemini.yaml").Components.Schemas
	plain := regexp.MustCompile(`target: \$\.components\.schemas(?:\.(\w+)|\[(.*?)\])`)
	quoted := regexp.MustCompile(`\w+`)
	for _, target := range plain.FindAllStringSubmatch(section, -1) {
		for _, name := range quoted.FindAllString(target[1]+target[2], -1) {
			if gemini[name] != nil {
				t.Errorf("gemini.yaml has a schema %s too; filter the target by the document's title",
					name)
			}
		}
	}
}

func TestGeneratedTypesAreThoseOfTheDescription(t *testing.T) {
	t.Parallel()
	for _, d := range descriptions {
		t.Run(d.file, func(t *testing.T) {
			t.Parallel()
			types := readGenerated(t, d.generated...)
			for name, s := range readGoDocument(t, d.file).Components.Schemas {
				// the generator writes initialisms in capitals
				got, ok := types[strings.ToLower(name)]
				switch {
				case !ok:
					t.Errorf("no Go type %s", name)
				case s.Enum != nil && s.GoType == "":
					if diff := cmp.Diff(slices.Sorted(slices.Values(s.Enum)),
						slices.Sorted(slices.Values(got.constants))); diff != "" {
						t.Errorf("constants of %s (-description +Go):\n%s", name, diff)
					}
				case s.Properties != nil && s.GoType == "":
					want := slices.DeleteFunc(slices.Sorted(maps.Keys(s.Properties)),
						func(n string) bool { return n == unknownMembers })
					if diff := cmp.Diff(want, slices.Sorted(slices.Values(got.members)),
						cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("members of %s (-description +Go):\n%s", name, diff)
					}
					if closed := s.Additional.Value == "false"; got.unknown == closed {
						t.Errorf("%s is closed: %t, and keeps unknown members: %t", name, closed,
							got.unknown)
					}
				}
			}
		})
	}
}

// generatedType has the properties of a generated Go type that the tests read.
type generatedType struct {
	members   []string // JSON names of the fields
	unknown   bool     // has the field that keeps unknown members
	constants []string // values of its constants
}

// readGenerated reads the types of generated files by their names in lower case. It reports
// exported names without a comment and the types any and interface{}, which say nothing.
func readGenerated(t *testing.T, files ...string) map[string]generatedType {
	t.Helper()
	types := map[string]generatedType{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		readDeclarations(t, parsed, types)
	}
	return types
}

func readDeclarations(t *testing.T, parsed *ast.File, types map[string]generatedType) {
	t.Helper()
	for _, decl := range parsed.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok == token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				key := strings.ToLower(spec.Name.Name)
				g := types[key]
				readFields(t, spec, &g)
				types[key] = g
				if gen.Doc == nil {
					t.Errorf("type %s has no comment", spec.Name.Name)
				}
			case *ast.ValueSpec:
				key := strings.ToLower(spec.Type.(*ast.Ident).Name)
				g := types[key]
				value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				g.constants = append(g.constants, value)
				types[key] = g
				if spec.Doc == nil {
					t.Errorf("constant %s has no comment", spec.Names[0].Name)
				}
			}
		}
	}
}

// readFields reads the fields of a struct; other types have none.
func readFields(t *testing.T, spec *ast.TypeSpec, g *generatedType) {
	t.Helper()
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		if f.Doc == nil {
			t.Errorf("field %s.%s has no comment", spec.Name.Name, f.Names[0].Name)
		}
		ast.Inspect(f.Type, func(n ast.Node) bool {
			id, isIdent := n.(*ast.Ident)
			if _, isInterface := n.(*ast.InterfaceType); isInterface ||
				isIdent && id.Name == "any" {
				t.Errorf("field %s.%s has a type that is unknown", spec.Name.Name,
					f.Names[0].Name)
			}
			return true
		})
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			t.Fatal(err)
		}
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "" && options == "embed" {
			g.unknown = true
			continue
		}
		g.members = append(g.members, name)
	}
}

// readDocument reads a description as it is written.
func readDocument(t *testing.T, file string) document {
	t.Helper()
	return decodeDocument(t, readNode(t, file))
}

// readGoDocument reads a description as the generator sees it, with the overlay applied.
func readGoDocument(t *testing.T, file string) document {
	t.Helper()
	node := readNode(t, file)
	if err := readOverlay(t).ApplyTo(node); err != nil {
		t.Fatal(err)
	}
	return decodeDocument(t, node)
}

func readOverlay(t *testing.T) *overlay.Overlay {
	t.Helper()
	o, err := overlay.Parse("overlay-go.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func readNode(t *testing.T, file string) *yaml.Node {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var node yaml.Node
	if err := yaml.Unmarshal(data, &node); err != nil {
		t.Fatal(err)
	}
	return &node
}

func decodeDocument(t *testing.T, node *yaml.Node) document {
	t.Helper()
	var d document
	if err := node.Decode(&d); err != nil {
		t.Fatal(err)
	}
	if len(d.Components.Schemas) == 0 {
		t.Fatal("the document has no schemas")
	}
	return d
}
