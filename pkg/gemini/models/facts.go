package models

import _ "embed"

//go:embed models.yaml
var facts string

// Facts returns the rows that the package is made from, in YAML: each fact with its days, service, source, confidence,
// and the day on which it was last checked.
func Facts() string { return facts }
