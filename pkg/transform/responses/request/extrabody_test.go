package request_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/go-json-experiment/json/jsontext"
)

func TestUnknownMembersAreThoseThatNoExtensionTakes(t *testing.T) {
	t.Parallel()
	for members, want := range map[string][]string{
		`{"google":{"top_k":1}}`:       nil,
		`{"google":"text"}`:            {"google"},
		`{"google":null}`:              nil,
		`{"colour":"red","size":null}`: {"colour"},
		`{"b":{},"a":[]}`:              {"b", "a"},
		``:                             nil,
	} {
		if got := request.UnknownMembers(jsontext.Value(members)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", members, got, want)
		}
	}
}
