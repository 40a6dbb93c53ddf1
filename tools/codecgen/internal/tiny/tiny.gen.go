// Package tiny is test input of codecgen, with each kind of field. It is written by hand. Only its
// codecs are generated.
package tiny

import (
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/gemwire/gemwire/tools/codecgen/internal/place"
	"github.com/go-json-experiment/json/jsontext"
)

// The values of Color.
const (
	ColorRed  Color = "RED"
	ColorBlue Color = "BLUE"
)

// The values of Size.
const SizeLarge Size = "large"

// Color has a decoder of its own.
type Color string

// MarshalJSONTo writes a number that has no name as a number.
func (c Color) MarshalJSONTo(enc *jsontext.Encoder) error {
	return plainjson.WriteEnumName(enc, string(c))
}

// UnmarshalJSONFrom reads the values in any letter case.
func (c *Color) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	name, err := plainjson.EnumName(value, "RED", "BLUE")
	*c = Color(name)
	return err
}

// Size has not.
type Size string

// Wheel is a root.
type Wheel struct {
	Color   *Color                                       `json:"color,omitzero" validate:"required"`
	Size    Size                                         `json:"size"`
	Spokes  int                                          `json:"spokes,omitzero"`
	Radius  float64                                      `json:"radius,omitzero"`
	Made    *wiretype.Int64                              `json:"made,omitzero"`
	Note    *string                                      `json:"note"`
	Holes   []int                                        `json:"holes,omitzero"`
	Patches []Patch                                      `json:"patches"`
	Hub     Patch                                        `json:"hub"`
	Extra   jsontext.Value                               `json:"_extra,omitzero,case:strict"`
	Label   wiretype.StringOr[[]Patch]                   `json:"label,omitzero"`
	Photo   wiretype.MediaURL                            `json:"photo" forms:"alone"`
	Weights wiretype.NullableList[float64]               `json:"weights"`
	Prices  map[string]map[string][]place.Place          `json:"prices,omitzero"`
	Gears   wiretype.OneOrList[Patch]                    `json:"gears,omitzero"`
	Spare   wiretype.Nullable[string]                    `json:"spare,omitzero"`
	Age     wiretype.Nullable[int]                       `json:"age,omitzero"`
	Axle    wiretype.Nullable[Patch]                     `json:"axle"`
	Chain   wiretype.StringOr[wiretype.OneOrList[Patch]] `json:"chain,omitzero"`
	Unknown jsontext.Value                               `json:",embed"`
}

// Patch is held by Wheel.
type Patch struct {
	Round   *bool          `json:"round,omitzero"`
	Seam    string         `json:"seam,omitzero" forms:"object"`
	Unknown jsontext.Value `json:",embed"`
}

// Nothing has no member.
type Nothing struct {
	Unknown jsontext.Value `json:",embed"`
}

// Unreached may have what has no codec.
type Unreached struct {
	Channel chan int
}
