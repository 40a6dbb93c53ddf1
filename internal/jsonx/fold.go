package jsonx

import "strings"

// FoldName returns a name without letter case and underscores, in which the spellings of one name
// are equal, such as usageMetadata and usage_metadata.
func FoldName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
