package leaftest

import "reflect"

// FillEach returns two structs for every member of a struct: one with only that member, and one
// with all other members. This matters for a struct that stands for one of several things, because
// the present member may decide how the others are used.
func FillEach[T any]() map[string]T {
	out := map[string]T{}
	members := reflect.TypeFor[T]()
	for i := range members.NumField() {
		var alone, others T
		Fill(reflect.ValueOf(&alone).Elem().Field(i).Addr().Interface())
		Fill(&others)
		reflect.ValueOf(&others).Elem().Field(i).SetZero()
		name := members.Name() + " with"
		out[name+" "+members.Field(i).Name], out[name+"out "+members.Field(i).Name] = alone, others
	}
	return out
}

// Clear sets all members with a name to zero in the value that v points at, down to the last leaf.
func Clear(v any, name string) { clearMember(reflect.ValueOf(v).Elem(), name) }

func clearMember(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			clearMember(v.Elem(), name)
		}
	case reflect.Slice:
		for i := range v.Len() {
			clearMember(v.Index(i), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if member := v.Type().Field(i); member.Name == name {
				v.Field(i).SetZero()
			} else if member.IsExported() {
				clearMember(v.Field(i), name)
			}
		}
	}
}
