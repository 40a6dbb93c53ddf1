package chat_test

import (
	"math"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameCompletion compares completions. Empty and absent lists are the same in Go, and free-form
// values may differ in white space.
var sameCompletion = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.FilterValues(func(a, b jsontext.Value) bool { return len(a) > 0 && len(b) > 0 },
		cmp.Comparer(func(a, b jsontext.Value) bool { return compact(a) == compact(b) })),
	cmp.Comparer(func(a, b wiretype.MediaURL) bool { return a == b }),
	cmp.Comparer(func(a, b wiretype.Int64) bool { return a == b }),
	cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }),
}

func compact(v jsontext.Value) string {
	v = v.Clone()
	if err := v.Compact(jsontext.PreserveRawStrings(true)); err != nil {
		return err.Error()
	}
	return string(v)
}
