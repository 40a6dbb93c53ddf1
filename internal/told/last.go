package told

// Last are the members of several records of the same kind, of which the last one counts. The zero
// value has none. It is not safe for use by several goroutines.
type Last struct{ members map[string]*lastMember }

// lastMember is a value with all places that told it since another one was told.
type lastMember struct {
	value  string
	places []Place
}

// Place is where something stands in a stream.
type Place struct {
	// Chunk is the position of the chunk.
	Chunk int
	// Pointer is the place in the chunk, a JSON pointer.
	Pointer string
}

// Tell adds the members of a record, and calls replaced for every place whose member they replace by
// another one.
func (l *Last) Tell(at Place, record any, replaced func(Place)) {
	if l.members == nil {
		l.members = map[string]*lastMember{}
	}
	for place, value := range Members(record) {
		known := l.members[place]
		if known == nil {
			known = &lastMember{value: value}
			l.members[place] = known
		}
		if known.value != value {
			for _, before := range known.places {
				replaced(before)
			}
			known.value, known.places = value, known.places[:0]
		}
		known.places = append(known.places, Place{at.Chunk, at.Pointer + place})
	}
}
