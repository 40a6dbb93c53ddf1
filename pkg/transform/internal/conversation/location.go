package conversation

import "strconv"

// Location is an element of a request's list, or an element of one of its lists. It is the start of
// a JSON pointer and becomes a pointer only when it is needed. [Conversation.At] makes one.
type Location struct {
	root string // the list, as a pointer
	// Index is the index of the element.
	Index int
	// List is a member of the element, or several separated by slashes; "" is the element itself.
	List string
	// Item is the index in List.
	Item int
}

// Whole is the index of a value that stands in place of the list, such as a text.
const Whole = -1

// Of returns the location of an element of the list at a pointer, such as "/messages".
func Of(root string, index int) Location { return Location{root: root, Index: index} }

// In returns the location of an item of a list of the element, such as ("content", 2).
func (l Location) In(list string, item int) Location {
	return Location{root: l.root, Index: l.Index, List: list, Item: item}
}

// Element returns the location of the element itself.
func (l Location) Element() Location { return Location{root: l.root, Index: l.Index} }

// Pointer returns the JSON pointer, followed by rest.
func (l Location) Pointer(rest string) string {
	if l.Index == Whole {
		return l.root + rest
	}
	var room [128]byte
	out := append(append(room[:0], l.root...), '/')
	out = strconv.AppendInt(out, int64(l.Index), 10)
	if l.List != "" {
		out = append(append(out, '/'), l.List...)
		if l.Item != Whole {
			out = strconv.AppendInt(append(out, '/'), int64(l.Item), 10)
		}
	}
	return string(append(out, rest...))
}
