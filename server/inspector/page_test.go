package inspector_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestAddressesWithinThePageNeedASessionAndOpenThePage(t *testing.T) {
	t.Parallel()
	b := open(t)
	stranger := &http.Client{Transport: b.client.Transport}
	for _, path := range []string{"/", "/requests", "/requests/req_1?tab=response", "/overview", "/jobs",
		"/jobs/batch_1", "/compare/1/2"} {
		if page := b.get(path); !strings.Contains(page, `id="all-requests"`) {
			t.Errorf("%s does not open the page: %s", path, page)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := stranger.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || !strings.Contains(string(said), "You are not signed in") {
			t.Errorf("%s without a session says %s, %v", path, said, err)
		}
		if response.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a session: %d", path, response.StatusCode)
		}
	}
	if status, _, _ := b.do(http.MethodGet, "/requests/1/2", ""); status != http.StatusNotFound {
		t.Errorf("an address that the page does not have: %d", status)
	}
}
