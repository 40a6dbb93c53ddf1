package main

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A pkg is a package that users can import.
type pkg struct {
	path  string // from the module's folder, such as "pkg/gemini"
	files []*ast.File
}

// readPackages parses the packages in folder/pkg, without tests and internal packages.
func readPackages(folder string) ([]*pkg, error) {
	found := map[string]*pkg{}
	err := filepath.WalkDir(filepath.Join(folder, "pkg"),
		func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (entry.Name() == "internal" || entry.Name() == "testdata"):
				return filepath.SkipDir
			case entry.IsDir() || !strings.HasSuffix(name, ".go") ||
				strings.HasSuffix(name, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil,
				parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(folder, filepath.Dir(name))
			if err != nil {
				return err
			}
			at := filepath.ToSlash(relative)
			if found[at] == nil {
				found[at] = &pkg{path: at}
			}
			found[at].files = append(found[at].files, file)
			return nil
		})
	return slices.SortedFunc(maps.Values(found),
		func(a, b *pkg) int { return strings.Compare(a.path, b.path) }), err
}

// list returns a line for each exported name of the packages, sorted.
func list(packages []*pkg) []string {
	var lines []string
	for _, p := range packages {
		for _, line := range p.list() {
			lines = append(lines, p.path+": "+line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines) // a name that is declared once for each platform
}

func (p *pkg) list() []string {
	var lines []string
	for _, file := range p.files {
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				lines = append(lines, function(d)...)
			case *ast.GenDecl:
				lines = append(lines, declared(d)...)
			}
		}
	}
	return lines
}

// function returns the line of a function, or of a method of an exported type.
func function(d *ast.FuncDecl) []string {
	if !d.Name.IsExported() {
		return nil
	}
	signature := strings.TrimPrefix(text(d.Type), "func")
	if d.Recv == nil {
		return []string{"func " + d.Name.Name + signature}
	}
	receiver := d.Recv.List[0].Type
	if !ast.IsExported(typeName(receiver)) {
		return nil
	}
	return []string{"method (" + text(receiver) + ") " + d.Name.Name + signature}
}

// typeName returns the name of the type of a receiver.
func typeName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	case *ast.Ident:
		return t.Name
	default:
		return ""
	}
}

// declared returns the lines of constants, variables and types. The value of a constant is part of
// its line.
func declared(d *ast.GenDecl) []string {
	var lines []string
	var typ string // of the constants of a group, which repeat it
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				lines = append(lines, typeLines(s)...)
			}
		case *ast.ValueSpec:
			if s.Type != nil || len(s.Values) > 0 {
				typ = ""
			}
			if s.Type != nil {
				typ = " " + text(s.Type)
			}
			for i, name := range s.Names {
				if !name.IsExported() {
					continue
				}
				line := d.Tok.String() + " " + name.Name + typ
				if d.Tok == token.CONST && i < len(s.Values) {
					line += " = " + text(s.Values[i])
				}
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// typeLines returns the lines of a type and of its exported members.
func typeLines(s *ast.TypeSpec) []string {
	head := "type " + s.Name.Name
	if s.TypeParams != nil {
		// The printer prints type parameters only as a part of a function.
		signature := text(&ast.FuncType{Params: s.TypeParams})
		head += "[" + strings.TrimSuffix(strings.TrimPrefix(signature, "func("), ")") + "]"
	}
	if s.Assign.IsValid() {
		return []string{head + " = " + text(s.Type)}
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		return append([]string{head + " struct"}, members(head+" struct, ", t.Fields)...)
	case *ast.InterfaceType:
		return append([]string{head + " interface"}, members(head+" interface, ", t.Methods)...)
	default:
		return []string{head + " " + text(s.Type)}
	}
}

// members returns the lines of the exported fields of a struct or the methods of an interface.
func members(head string, fields *ast.FieldList) []string {
	var lines []string
	for _, field := range fields.List {
		typ := text(field.Type)
		if len(field.Names) == 0 {
			lines = append(lines, head+"embedded "+typ)
		}
		for _, name := range field.Names {
			if _, isMethod := field.Type.(*ast.FuncType); name.IsExported() && isMethod &&
				strings.Contains(head, " interface, ") {
				lines = append(lines, head+name.Name+strings.TrimPrefix(typ, "func"))
			} else if name.IsExported() {
				lines = append(lines, head+name.Name+" "+typ)
			}
		}
	}
	return lines
}

// text returns a piece of source on one line.
func text(node ast.Node) string {
	var out strings.Builder
	if err := format.Node(&out, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// internalAliases returns the exported aliases of types from internal packages. Documentation shows
// no field and no method of these.
func internalAliases(packages []*pkg) []string {
	var found []string
	for _, p := range packages {
		for _, file := range p.files {
			imports := map[string]string{}
			for _, spec := range file.Imports {
				at, _ := strconv.Unquote(spec.Path.Value)
				name := path.Base(at)
				if spec.Name != nil {
					name = spec.Name.Name
				}
				imports[name] = at
			}
			for _, declaration := range file.Decls {
				group, ok := declaration.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, spec := range group.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() &&
						s.Assign.IsValid() && isInternal(s.Type, imports) {
						found = append(found, p.path+"."+s.Name.Name)
					}
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

// isInternal reports whether a type names a type of an internal package.
func isInternal(typ ast.Expr, imports map[string]string) bool {
	found := false
	ast.Inspect(typ, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			name, isPackage := selector.X.(*ast.Ident)
			found = found ||
				isPackage && slices.Contains(strings.Split(imports[name.Name], "/"), "internal")
		}
		return true
	})
	return found
}
