// Package place is test input of codecgen: a type that a type of another package uses.
package place

import "github.com/go-json-experiment/json/jsontext"

// Place is part of a type of package tiny, and part of itself.
type Place struct {
	Name    *string        `json:"name,omitzero"`
	Within  *Place         `json:"within,omitzero"`
	Unknown jsontext.Value `json:",embed"`
}
