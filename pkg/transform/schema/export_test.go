package schema

// Keywords returns the names of all known members of a schema.
func Keywords() []string {
	var out []string
	for _, k := range keywords[1:] {
		out = append(out, k.name)
	}
	return out
}
