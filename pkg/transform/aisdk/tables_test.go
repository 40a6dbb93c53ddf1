package aisdk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
)

// A new type of event or block, or a new finish reason, in package normalize fails this test.
func TestTheGeminiTablesHaveEveryConstant(t *testing.T) {
	t.Parallel()
	events, blocks, reasons := 0, 0, 0
	for name, c := range normalizeConstants(t) {
		known := true
		switch c.typ {
		case "EventType":
			_, known = eventMappings[normalize.EventType(c.value)]
			events++
		case "BlockType":
			_, known = blockMappings[normalize.BlockType(c.value)]
			blocks++
		case "FinishReason":
			_, known = unifiedReasons[normalize.FinishReason(c.value)]
			reasons++
		}
		if !known {
			t.Errorf("no table has normalize.%s", name)
		}
	}
	if events != len(eventMappings) || blocks != len(blockMappings) ||
		reasons != len(unifiedReasons) {
		t.Errorf("%d, %d and %d constants for tables of %d, %d and %d",
			events, blocks, reasons, len(eventMappings), len(blockMappings), len(unifiedReasons))
	}
}

type constant struct{ typ, value string }

// normalizeConstants returns the typed constants of package normalize.
func normalizeConstants(t *testing.T) map[string]constant {
	t.Helper()
	out := map[string]constant{}
	files, err := filepath.Glob(filepath.Join("..", "..", "normalize", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			typ, isNamed := spec.Type.(*ast.Ident)
			literal, isText := spec.Values[0].(*ast.BasicLit)
			if isNamed && isText && literal.Kind == token.STRING {
				value, _ := strconv.Unquote(literal.Value)
				out[spec.Names[0].Name] = constant{typ.Name, value}
			}
			return true
		})
	}
	return out
}
