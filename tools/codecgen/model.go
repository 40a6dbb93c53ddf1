package main

import (
	"errors"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode"
)

// Package has the wire types of one Go package.
type Package struct {
	Dir, Name string
	// Structs are in the order of the source.
	Structs []*Struct
	Enums   []*Enum
	// ProtoJSON is set when the forms of protocol buffers are read.
	ProtoJSON bool
	// Unions are the unions among the roots and in their types, in the order in which they were
	// found.
	Unions []*Union
	// description is nil for a package without a description.
	description *description
	// maps are the named types that are maps.
	maps map[string]ast.Expr
	// imports are the packages that the source imports, by name.
	imports map[string]string
	// rules are the functions that check a whole struct, by the name of the type.
	rules map[string]string
	// methods are the methods of pointers, "Type.Method".
	methods map[string]bool
	// others are the packages whose types this package may contain.
	others []*Package
}

// Struct is a JSON object.
type Struct struct {
	Package *Package
	Name    string
	Fields  []Field
	// Members are the fields, and the members without a field, in the order in which they are
	// written.
	Members []Field
	// Root is set for the types that the command line lists.
	Root bool
	// Reached is set for the wire types and all types in them.
	Reached bool
	// Shared is set if a type of another package contains this type.
	Shared bool
	// Recursive is set if a value can contain another value of its own type.
	Recursive bool
	// Repeated is set if one text may have many values of the type, because a list contains the
	// type directly or indirectly.
	Repeated bool
	// ListedOften is set if one text may have many lists of the type, because a repeated value has
	// a list of it.
	ListedOften bool
	// Described is set for an object of a described package.
	Described bool
	// Closed is set if objects have no other members.
	Closed bool
	// Since is the first version that has this object, or "" for all versions.
	Since string
	// Payload is the payload type after which the forms for this type are named.
	Payload string
	// Declared is set for a struct that codecgen declares, because the source does not have it.
	Declared bool
	// raw are the fields in the source. Fields is made from them when the struct is reached.
	raw []rawField
}

// StrictNames returns the names of members that equal another name if letter case and separators
// are ignored.
func (s *Struct) StrictNames() []string {
	var names []string
	for _, f := range s.Fields {
		if f.Strict {
			names = append(names, f.JSONName)
		}
	}
	return names
}

// Field is a member of a JSON object.
type Field struct {
	Name, JSONName string
	Type           *Type
	// OmitZero omits the member if the field has its zero value.
	OmitZero bool
	// Strict is set for a member whose name equals another name if letter case and separators are
	// ignored.
	Strict bool
	// Forms is the tag of this name: formAlone, formObject or "".
	Forms string
	// Constant is the only value of a member without a field, or "".
	Constant string
	// Required is set if the description requires the member, and it must not be null.
	Required bool
	// Since is the first version that has the member, or "" for all versions.
	Since string
}

const (
	// formAlone marks a string member that may replace the object around it.
	formAlone = "alone"
	// formObject marks a text with JSON that may be an object instead.
	formObject = "object"
)

// Enum is a named string.
type Enum struct {
	Package *Package
	Name    string
	Values  []EnumValue
	// Lenient is set if the type has its own decoder, which also accepts other spellings of the
	// values. Otherwise any string is a value.
	Lenient bool
	// Since has the first version of each value that not all versions have.
	Since map[string]string
}

// EnumValue is a constant of an enum.
type EnumValue struct{ Name, Value string }

// Kind is the JSON form of a type.
type Kind int

// The kinds of types.
const (
	KindString       Kind = iota
	KindBool              // a boolean
	KindInt               // an int
	KindInt64             // an int64
	KindFloat64           // a float64
	KindValue             // a jsontext.Value
	KindEnum              // Enum
	KindStruct            // Struct
	KindPointer           // Elem or null
	KindList              // Elems
	KindMap               // Elems by string
	KindStringOr          // a wiretype.StringOr of Elem
	KindNullableList      // a wiretype.NullableList of Elem
	KindOneOrList         // a wiretype.OneOrList of Elem
	KindNullable          // a wiretype.Nullable of Elem
	KindQuotedInt64       // a wiretype.Int64
	KindMediaURL          // a wiretype.MediaURL
	KindTime              // a time.Time
	KindUnion             // Union
)

// Type is the type of a field or of a value in it.
type Type struct {
	Kind   Kind
	Elem   *Type
	Struct *Struct
	Enum   *Enum
	Union  *Union
	// Only is the required kind of a free-form value or of an enum value, or "" for any.
	Only only
}

// only restricts the values of described packages.
type only string

const (
	onlyObject  only = "Object"
	onlyNonNull only = "NonNull"
	onlyKnown   only = "Known"
)

// key is the type's name within names of functions.
func (t *Type) key(in *Package) string {
	words := strings.FieldsFunc(spelling.Replace(t.goName(in)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "") + string(t.innermost().Only)
}

// spelling replaces the punctuation between type names by words.
var spelling = strings.NewReplacer("jsontext.", "", "wiretype.", "", "[]", "ListOf ", "map[string]",
	"MapOf ", "*", "PointerTo ", "[", "Of ")

// goName is the Go type.
func (t *Type) goName(in *Package) string {
	switch t.Kind {
	case KindEnum:
		return t.Enum.Package.qualified(in, t.Enum.Name)
	case KindStruct:
		return t.Struct.goName(in)
	case KindPointer:
		return "*" + t.Elem.goName(in)
	case KindList:
		return "[]" + t.Elem.goName(in)
	case KindMap:
		return "map[string]" + t.Elem.goName(in)
	case KindStringOr:
		return "wiretype.StringOr[" + t.Elem.goName(in) + "]"
	case KindNullableList:
		return "wiretype.NullableList[" + t.Elem.goName(in) + "]"
	case KindOneOrList:
		return "wiretype.OneOrList[" + t.Elem.goName(in) + "]"
	case KindNullable:
		return "wiretype.Nullable[" + t.Elem.goName(in) + "]"
	case KindUnion:
		return t.Union.Name
	default:
		return kinds[t.Kind].goName
	}
}

// goName is the Go type.
func (s *Struct) goName(in *Package) string { return s.Package.qualified(in, s.Name) }

// qualified returns a name of the package as another package writes it.
func (p *Package) qualified(in *Package, name string) string {
	if p != in {
		return p.Name + "." + name
	}
	return name
}

// kinds has the properties of the types of each kind without element types.
var kinds = map[Kind]struct {
	goName string
	// read is the decoder's method.
	read string
	// size is the approximate size of a value in bytes, or 0 if it depends on the value.
	size int
}{
	KindString:      {"string", "String", 0},
	KindBool:        {"bool", "Bool", len("false")},
	KindInt:         {"int", "Int", 6},
	KindInt64:       {"int64", "Int64", 10},
	KindFloat64:     {"float64", "Float64", 20},
	KindValue:       {"jsontext.Value", "Value", 0},
	KindQuotedInt64: {"wiretype.Int64", "", 12},
	KindMediaURL:    {"wiretype.MediaURL", "", 0},
	KindTime:        {"time.Time", "Time", len(`"2026-01-02T03:04:05.678Z"`)},
	KindUnion:       {"", "", 256},
}

// structNamed and enumNamed return nil for an unknown name.
func (p *Package) structNamed(name string) *Struct {
	for _, s := range p.Structs {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (p *Package) enumNamed(name string) *Enum {
	for _, e := range p.Enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// reach completes the wire types. roots are the names of the listed types.
func (p *Package) reach(roots []string) error {
	for _, name := range roots {
		if union, err := p.union(name); err != nil {
			return err
		} else if union != nil {
			continue
		}
		s := p.structNamed(name)
		if s == nil {
			return fmt.Errorf("no struct %s", name)
		}
		s.Root = true
	}
	for _, s := range p.Structs {
		if s.Root || s.unknown() != nil {
			if err := s.reach(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Struct) reach() error {
	if s.Reached {
		return nil
	}
	s.Reached = true
	if described := s.Package.description.schema(s.Name); described != nil {
		return s.describe(described)
	}
	for _, raw := range s.raw {
		if raw.name == unknownName {
			continue
		}
		field, err := s.Package.field(raw)
		if err == nil && field.Type.Kind == KindTime {
			err = errors.New("the type time.Time has no codec that the JSON library agrees with")
		}
		if err != nil {
			return fmt.Errorf("%s.%s: %w", s.Name, raw.name, err)
		}
		s.Fields = append(s.Fields, field)
		if held := field.Type.held(); held != nil {
			held.Shared = held.Shared || held.Package != s.Package
			if err := held.reach(); err != nil {
				return err
			}
		}
		if _, ok := isSet(field.Type, "v."+field.Name); field.OmitZero && !ok {
			return fmt.Errorf("%s.%s: no test for its zero value", s.Name, field.Name)
		}
	}
	s.Members = s.Fields
	return s.check()
}

// check refuses types that the codecs do not support.
func (s *Struct) check() error {
	switch unknown := s.unknown(); {
	case unknown == nil:
		return fmt.Errorf("%s has no field %s for the members that it does not know", s.Name,
			unknownName)
	case unknown.tag != ",embed":
		return fmt.Errorf("%s.%s is not embedded", s.Name, unknownName)
	case len(s.Fields) > 64:
		return fmt.Errorf("%s has more fields than a word has bits", s.Name)
	}
	return nil
}

// unknown returns the field that keeps unknown members, or nil.
func (s *Struct) unknown() *rawField {
	i := slices.IndexFunc(s.raw, func(f rawField) bool { return f.name == unknownName })
	if i < 0 {
		return nil
	}
	return &s.raw[i]
}

// findRecursion marks recursive structs, after all structs are reached.
func (p *Package) findRecursion() {
	for _, s := range p.Structs {
		s.Recursive = s.holds(s, map[*Struct]bool{})
	}
}

// findRepeated marks repeated structs of a package, after all structs are reached. It repeats until
// nothing changes.
func (p *Package) findRepeated() {
	for isNew := true; isNew; {
		isNew = false
		for _, s := range p.Structs {
			for _, f := range s.Fields {
				isNew = s.noteHeld(f.Type) || isNew
			}
		}
	}
}

// noteHeld marks the structs in a field, and reports whether a mark is new.
func (s *Struct) noteHeld(t *Type) (isNew bool) {
	for _, held := range t.structs() {
		repeated, often := held.Repeated, held.ListedOften
		held.Repeated = held.Repeated || s.Repeated || t.isList()
		held.ListedOften = held.ListedOften || s.Repeated && t.isList()
		isNew = isNew || held.Repeated != repeated || held.ListedOften != often
	}
	return isNew
}

// isList reports whether a type is, or may be, a list or a map.
func (t *Type) isList() bool {
	for ; t != nil; t = t.Elem {
		if t.Kind == KindList || t.Kind == KindMap || t.Kind == KindNullableList ||
			t.Kind == KindOneOrList {
			return true
		}
	}
	return false
}

// innermost returns the innermost type of lists, maps and similar types.
func (t *Type) innermost() *Type {
	for t.Elem != nil {
		t = t.Elem
	}
	return t
}

// held returns the innermost struct of a type, or nil.
func (t *Type) held() *Struct { return t.innermost().Struct }

// holds reports whether a field of s leads to the wanted struct.
func (s *Struct) holds(wanted *Struct, seen map[*Struct]bool) bool {
	for _, f := range s.Fields {
		for _, held := range f.Type.structs() {
			if seen[held] {
				continue
			}
			seen[held] = true
			if held == wanted || held.holds(wanted, seen) {
				return true
			}
		}
	}
	return false
}

// structs returns the innermost structs that a value of the type may have.
func (t *Type) structs() []*Struct {
	switch of := t.innermost(); {
	case of.Struct != nil:
		return []*Struct{of.Struct}
	case of.Union != nil:
		return of.Union.Structs()
	default:
		return nil
	}
}
