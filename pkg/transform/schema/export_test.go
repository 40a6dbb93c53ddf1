package schema

// Keywords returns the names of all members of a schema that are known.
func Keywords() []string {
	var out []string
	for _, k := range keywords[1:] {
		out = append(out, k.name)
	}
	return out
}
