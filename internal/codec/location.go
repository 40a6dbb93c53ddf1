package codec

import "strconv"

// Location is the location of a check in a payload: one step of the path, and the steps before it.
// The zero value is the payload itself. Locations are on the stack of the checks. Only a violation
// makes a pointer from one.
type Location struct {
	up *Location
	// Name is the name of a member.
	Name string
	// Index is the index of an element.
	Index     int
	isElement bool
}

// Member returns the location of a member.
func (l *Location) Member(name string) Location { return Location{up: l, Name: name} }

// Element returns the location of an element.
func (l *Location) Element(index int) Location { return Location{up: l, Index: index, isElement: true} }

// Pointer returns the JSON pointer (RFC 6901).
func (l *Location) Pointer() string { return string(l.appendPointer(nil)) }

func (l *Location) appendPointer(dst []byte) []byte {
	if l.up == nil {
		return dst
	}
	dst = append(l.up.appendPointer(dst), '/')
	if l.isElement {
		return strconv.AppendInt(dst, int64(l.Index), 10)
	}
	for i := range len(l.Name) {
		switch c := l.Name[i]; c {
		case '~':
			dst = append(dst, "~0"...)
		case '/':
			dst = append(dst, "~1"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
