package responses_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/responses"
)

// Clients count the tokens of the request that they are about to send.
func TestARequestForTokensMayHaveMembersOfARequestForAResponse(t *testing.T) {
	t.Parallel()
	for member, meant := range map[string]string{
		"store": "", "include": "", "context_management": "", "stream": "",
		"stor": "store", "messages": "input",
	} {
		in, err := responses.Form().DecodeCount([]byte(`{"model":"m","input":"x","` + member + `":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if wrong, ok := errors.AsType[*transform.MemberError](in.CheckMembers()); ok {
			got = wrong.Meant
		}
		if got != meant {
			t.Errorf("%s: meant %q; want %q", member, got, meant)
		}
	}
}
