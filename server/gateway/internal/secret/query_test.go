package secret_test

import (
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/secret"
)

func TestCredentialsAreFoundInEveryQuery(t *testing.T) {
	t.Parallel()
	const key = "a-credential-of-1234567890"
	for query, want := range map[string][]string{
		"key=" + key:                     {key},
		"alt=sse&key=" + key:             {key},
		"alt=sse&$KEY=" + key:            {key},
		"Access_Token=" + key:            {key},
		"%6Bey=" + key:                   {key},
		"\u212aey=" + key:                {key}, // the Kelvin sign is a K in lower case
		"to%6ben=" + key:                 {key},
		"alt=sse":                        nil,
		"alt=sse&pageSize=3&ke=" + key:   nil,
		"model=" + key + "&toke=x&k=y&t": nil,
	} {
		request := httptest.NewRequest("GET", "/", nil)
		request.URL.RawQuery = query
		if got := secret.OfRequest(request, false); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
}
