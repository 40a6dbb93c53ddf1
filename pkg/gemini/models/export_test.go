package models

// Families returns the names of the table of models.
func Families() []string {
	var names []string
	for _, family := range families {
		names = append(names, family.name)
	}
	return names
}

// HasFamily reports whether the table has a row for a model.
func HasFamily(model string) bool { return familyOf(model) != &newestFamily }
