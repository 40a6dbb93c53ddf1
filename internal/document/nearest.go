package document

import "github.com/gemwire/gemwire/internal/nearest"

// NearestName returns the name that a mistyped one may stand for, see [nearest.Name].
func NearestName(typed string, names []string) string { return nearest.Name(typed, names) }
