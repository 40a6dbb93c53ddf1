package conversation

import "strconv"

// Location is an element of a request's list, or an element of one of its lists, as the beginning of a JSON pointer.
// It becomes a pointer only when there is something to say about it. [Conversation.At] makes one.
type Location struct {
	root string // the list, as a pointer
	// Index is that of the element.
	Index int
	// List is a member of the element, or several with slashes between them; "" for the element itself.
	List string
	// Item is the index in that list.
	Item int
}

// Whole is the index of what stands in place of the list, such as a text.
const Whole = -1

// Of returns the location of an element of the list at a pointer, such as "/messages".
func Of(root string, index int) Location { return Location{root: root, Index: index} }

// In returns the location of an item of a list of the element, such as ("content", 2).
func (l Location) In(list string, item int) Location {
	return Location{root: l.root, Index: l.Index, List: list, Item: item}
}

// Element returns the location of the element itself.
func (l Location) Element() Location { return Location{root: l.root, Index: l.Index} }

// Pointer returns the JSON pointer, with the rest behind it.
func (l Location) Pointer(rest string) string {
	if l.Index == Whole {
		return l.root + rest
	}
	out := l.root + "/" + strconv.Itoa(l.Index)
	if l.List != "" {
		out += "/" + l.List
		if l.Item != Whole {
			out += "/" + strconv.Itoa(l.Item)
		}
	}
	return out + rest
}
