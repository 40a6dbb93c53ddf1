package main

import "fmt"

// emitMembers returns the source of the functions that list the present members of a message. The
// types may be in other packages.
func emitMembers(p *Package, types []string) ([]byte, error) {
	e := emitter{p: p}
	for _, name := range types {
		s := p.findStruct(name)
		if s == nil {
			return nil, fmt.Errorf("no struct %s", name)
		}
		e.print("// visitMembersOf%s calls visit with the name of each known member that is present.",
			s.Name)
		e.print("func visitMembersOf%s(v *%s, visit func(name string)) {", s.Name, s.goName(p))
		for _, f := range s.Fields {
			e.print("if %s {\nvisit(%q)\n}", isThere(f), f.JSONName)
		}
		e.print("}\n")
	}
	return e.source()
}

// isThere returns the condition that a member is present. Null and empty lists are not.
func isThere(f Field) string {
	switch expr := "v." + f.Name; f.Type.Kind {
	case KindList, KindNullableList, KindMap:
		return "len(" + expr + ") > 0"
	case KindNullable:
		return "!" + expr + ".IsZero() && !" + expr + ".IsNull()"
	case KindValue:
		return "len(" + expr + ") > 0 && " + expr + ".Kind() != jsontext.KindNull"
	default:
		condition, _ := isSet(f.Type, "v."+f.Name)
		return condition
	}
}
