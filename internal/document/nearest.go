package document

import "github.com/gemwire/gemwire/internal/nearest"

// NearestName returns the name that is most similar to a mistyped name, see [nearest.Name].
func NearestName(typed string, names []string) string { return nearest.Name(typed, names) }
