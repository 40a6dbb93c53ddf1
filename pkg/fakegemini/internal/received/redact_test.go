package received_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
)

func TestNoSpellingOfAKeyIsKept(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"key=k-secret", "KEY=k-secret", "%6bey=k-secret", "$key=k-secret",
		"Key=k-secret&key=k-secret", "api_key=k-secret",
		"apiKey=k-secret", "access_token=k-secret", "a=1;key=k-secret", "x=%zz&key=k-secret",
	} {
		r := httptest.NewRequest("POST", "/v1beta/models/m:generateContent?"+query,
			strings.NewReader("{}"))
		for _, name := range []string{"x-goog-api-key", "Authorization", "api-key", "X-API-KEY",
			"Cookie"} {
			r.Header.Set(name, "k-secret")
		}
		_, request, err := received.Read(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{fmt.Sprintf("%+v %v %v", request, request.URL,
			request.Header), received.AddressWithoutKeys(r.URL)} {
			if strings.Contains(text, "k-secret") {
				t.Errorf("%s: %s", query, text)
			}
		}
	}
}
