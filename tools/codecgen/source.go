package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// rawField is a field of a struct in the source.
type rawField struct {
	name string
	// embedded is the name of an embedded type of the package. Such a field has no name.
	embedded string
	// tag, forms and validate are the tags json, forms and validate.
	tag, forms, validate string
	expr                 ast.Expr
}

// readPackage reads the files of a folder that match a pattern. It ignores tests and the files of
// this command. It accepts any types that no wire type uses.
func readPackage(dir, pattern string, others []*Package) (*Package, error) {
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return nil, err
	}
	p := &Package{Dir: dir, imports: map[string]string{}, maps: map[string]ast.Expr{},
		rules: map[string]string{}, methods: map[string]bool{}, others: others}
	var sources []*ast.File
	for _, file := range files {
		if base := filepath.Base(file); slices.Contains(written, base) ||
			strings.HasSuffix(base, "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if err := p.read(source); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		sources = append(sources, source)
	}
	if p.Name == "" {
		return nil, fmt.Errorf("%s: no files %s", dir, pattern)
	}
	p.readRules(sources)
	return p, nil
}

// read reads the types first, because constants and methods may come before them.
func (p *Package) read(source *ast.File) error {
	p.Name = source.Name.Name
	for _, spec := range source.Imports {
		location, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		p.imports[path.Base(location)] = location
	}
	for _, declaration := range source.Decls {
		if types, ok := declaration.(*ast.GenDecl); ok && types.Tok == token.TYPE {
			p.readTypes(types)
		}
	}
	for _, declaration := range source.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			p.readMethod(d)
		case *ast.GenDecl:
			if err := p.readConstants(d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Package) readTypes(declaration *ast.GenDecl) {
	for _, spec := range declaration.Specs {
		spec := spec.(*ast.TypeSpec)
		if spec.Assign.IsValid() {
			continue // an alias
		}
		switch t := spec.Type.(type) {
		case *ast.StructType:
			s := &Struct{Package: p, Name: spec.Name.Name}
			for _, field := range t.Fields.List {
				s.raw = append(s.raw, newRawField(field))
			}
			p.Structs = append(p.Structs, s)
		case *ast.MapType:
			p.maps[spec.Name.Name] = t
		case *ast.Ident:
			if t.Name == "string" {
				p.Enums = append(p.Enums, &Enum{Package: p, Name: spec.Name.Name})
			}
		}
	}
}

// newRawField sets the name only if the field has exactly one name.
func newRawField(field *ast.Field) rawField {
	raw := rawField{expr: field.Type}
	if len(field.Names) == 1 {
		raw.name = field.Names[0].Name
	}
	if of, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 {
		raw.embedded = of.Name
	}
	if field.Tag != nil {
		if tag, err := strconv.Unquote(field.Tag.Value); err == nil {
			raw.tag = reflect.StructTag(tag).Get("json")
			raw.forms = reflect.StructTag(tag).Get("forms")
			raw.validate = reflect.StructTag(tag).Get("validate")
		}
	}
	return raw
}

func (p *Package) readMethod(method *ast.FuncDecl) {
	if method.Recv == nil {
		return
	}
	of := pointedName(method.Recv.List[0].Type)
	p.methods[of+"."+method.Name.Name] = true
	if enum := p.enumNamed(of); enum != nil && method.Name.Name == "UnmarshalJSONFrom" {
		enum.Lenient = true
	}
}

func (p *Package) readConstants(declaration *ast.GenDecl) error {
	if declaration.Tok != token.CONST {
		return nil
	}
	for _, spec := range declaration.Specs {
		spec := spec.(*ast.ValueSpec)
		name, ok := spec.Type.(*ast.Ident)
		if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
			continue
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		enum := p.enumNamed(name.Name)
		if enum == nil || !ok {
			continue
		}
		value, err := strconv.Unquote(literal.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", spec.Names[0].Name, err)
		}
		enum.Values = append(enum.Values, EnumValue{spec.Names[0].Name, value})
	}
	return nil
}

// strictCase is the option of a json tag for a name that must match exactly.
const strictCase = "case:strict"

// unknownName is the field that holds the members without a field.
const unknownName = "Unknown"

// field completes a field.
func (p *Package) field(raw rawField) (Field, error) {
	if raw.name == "" || raw.tag == "" {
		return Field{}, errors.New("the field must have one name and a json tag")
	}
	t, err := p.typeOf(raw.expr)
	if err != nil {
		return Field{}, err
	}
	options := strings.Split(raw.tag, ",")
	f := Field{
		Name: raw.name, JSONName: options[0], Type: t, Forms: raw.forms,
		OmitZero: slices.Contains(options, "omitzero"),
		Strict:   slices.Contains(options, strictCase),
	}
	for _, option := range options[1:] {
		if option != "omitzero" && option != strictCase {
			return Field{}, fmt.Errorf("unknown json option %q", option)
		}
	}
	if f.Forms != "" && f.Forms != formAlone && (f.Forms != formObject || t.Kind != KindString) {
		return Field{}, fmt.Errorf("no such form for this type: %q", f.Forms)
	}
	if !isPlainName(f.JSONName) {
		return Field{}, fmt.Errorf("the name %q needs escapes, or is empty", f.JSONName)
	}
	return f, nil
}

// isPlainName reports whether a name needs no escapes.
func isPlainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' &&
			r != '@'
	}) < 0
}

func (p *Package) typeOf(expr ast.Expr) (*Type, error) {
	switch e := expr.(type) {
	case *ast.Ident:
		return p.named(e.Name)
	case *ast.StarExpr:
		return p.holder(KindPointer, e.X)
	case *ast.ArrayType:
		if e.Len == nil {
			return p.holder(KindList, e.Elt)
		}
	case *ast.MapType:
		if key, ok := e.Key.(*ast.Ident); ok && key.Name == "string" {
			return p.holder(KindMap, e.Value)
		}
	case *ast.SelectorExpr:
		return p.imported(e)
	case *ast.IndexExpr:
		if of, ok := e.X.(*ast.SelectorExpr); ok {
			switch selected(of) {
			case "wiretype.StringOr":
				return p.holder(KindStringOr, e.Index)
			case "wiretype.NullableList":
				return p.holder(KindNullableList, e.Index)
			case "wiretype.OneOrList":
				return p.holder(KindOneOrList, e.Index)
			case "wiretype.Nullable":
				return p.holder(KindNullable, e.Index)
			}
		}
	}
	return nil, errors.New("the type has no codec")
}

func (p *Package) holder(kind Kind, elem ast.Expr) (*Type, error) {
	of, err := p.typeOf(elem)
	if err != nil {
		return nil, err
	}
	if kind == KindPointer && (of.Elem != nil || of.Kind == KindValue || of.Kind == KindMediaURL) {
		return nil, errors.New("a pointer to a type that can be absent without it")
	}
	if kind != KindPointer && of.Kind == KindPointer {
		return nil, errors.New("a list or map of pointers")
	}
	return &Type{Kind: kind, Elem: of}, nil
}

func (p *Package) named(name string) (*Type, error) {
	if union, err := p.union(name); union != nil || err != nil {
		return &Type{Kind: KindUnion, Union: union}, err
	}
	if expr := p.maps[name]; expr != nil {
		return p.namedMap(name, expr)
	}
	if s := p.structNamed(name); s != nil {
		return &Type{Kind: KindStruct, Struct: s}, nil
	}
	if e := p.enumNamed(name); e != nil {
		return &Type{Kind: KindEnum, Enum: e}, nil
	}
	for kind, k := range kinds {
		if k.goName == name {
			return &Type{Kind: kind}, nil
		}
	}
	return nil, fmt.Errorf("the type %s has no codec", name)
}

func (p *Package) imported(e *ast.SelectorExpr) (*Type, error) {
	name := selected(e)
	for kind, k := range kinds {
		if k.goName == name {
			return &Type{Kind: kind}, nil
		}
	}
	if selected, ok := strings.CutPrefix(name, wireTypePackage+"."); ok {
		own := &Struct{Package: &Package{Name: wireTypePackage}, Name: selected, Shared: true,
			Reached: true}
		return &Type{Kind: KindStruct, Struct: own}, nil
	}
	for _, other := range p.others {
		if other.Name+"."+e.Sel.Name == name {
			return other.named(e.Sel.Name)
		}
	}
	return nil, fmt.Errorf("the type %s has no codec", name)
}

// selected returns package.Name.
func selected(e *ast.SelectorExpr) string {
	if x, ok := e.X.(*ast.Ident); ok {
		return x.Name + "." + e.Sel.Name
	}
	return ""
}

// wireTypePackage is the package whose types have their own codecs, unless they are one of the
// kinds here.
const wireTypePackage = "wiretype"
