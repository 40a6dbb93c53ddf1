package models

// HasFamily reports whether the table has a row for a model.
func HasFamily(model string) bool { return familyOf(model) != &newestFamily }
