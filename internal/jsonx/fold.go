package jsonx

import "strings"

// FoldName removes letter case and underscores from a name. All spellings of one name then become
// equal, such as usageMetadata and usage_metadata.
func FoldName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
