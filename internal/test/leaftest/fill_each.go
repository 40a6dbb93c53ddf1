package leaftest

import "reflect"

// FillEach returns, for every member of a struct, a struct with that member alone and a struct with
// all others. In a struct that says one of several things, the present member may decide what
// becomes of the others.
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

// Clear makes all members of a name zero in what v points at, down to the last leaf.
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
