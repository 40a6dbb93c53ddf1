package endpoint_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/internal/endpoint"
)

// Where the services have the model of a name; "" means that they refuse the name.
var models = []struct{ name, gemini, vertex, express string }{
	{"m", "models/m", "P/publishers/google/models/m", "publishers/google/models/m"},
	{"models/m", "models/m", "P/publishers/google/models/m", "publishers/google/models/m"},
	{"publishers/google/models/m", "models/m", "P/publishers/google/models/m", "publishers/google/models/m"},
	{"meta/m", "", "P/publishers/meta/models/m", "publishers/meta/models/m"},
	{"publishers/meta/models/m", "", "P/publishers/meta/models/m", "publishers/meta/models/m"},
	{"tunedModels/m", "tunedModels/m", "", ""},
	{"dynamic/m", "dynamic/m", "", ""},
	{"endpoints/1", "", "P/endpoints/1", ""},
	{"projects/p/locations/l/endpoints/1", "", "projects/p/locations/l/endpoints/1", "projects/p/locations/l/endpoints/1"},
	{"projects/p/locations/l/models/m", "", "projects/p/locations/l/models/m", "projects/p/locations/l/models/m"},
	{"projects/p/locations/l/publishers/google/models/m", "", "projects/p/locations/l/publishers/google/models/m", "projects/p/locations/l/publishers/google/models/m"},
	{"a b?c:d%", "models/a%20b%3Fc%3Ad%25", "P/publishers/google/models/a%20b%3Fc%3Ad%25", "publishers/google/models/a%20b%3Fc%3Ad%25"},

	{"foo/publishers/google/models/m", "", "", ""},
	{"models/a/b", "", "", ""},
	{"tunedModels/a/b", "", "", ""},
	{"dynamic/a/b", "", "", ""},
	{"publishers/google/models/a/b", "", "", ""},
	{"publishers/google/m", "", "", ""},
	{"a/b/c", "", "", ""},
	{"projects/p", "", "", ""},
	{"projects/p/locations/l", "", "", ""},
	{"models/", "", "", ""},
	{"/m", "", "", ""},
	{"models//m", "", "", ""},
	{"models/..", "", "", ""},
	{"../files/x", "", "", ""},
	{"models/a\nb", "", "", ""},
}

func TestWhereTheModelOfANameIs(t *testing.T) {
	t.Parallel()
	const parent = "projects/p/locations/l"
	for _, tt := range models {
		for service, want := range map[endpoint.Service]string{endpoint.GeminiAPI: tt.gemini,
			endpoint.VertexAI: tt.vertex, endpoint.VertexAIExpress: tt.express} {
			e := endpoint.Endpoint{Service: service, Project: "p", Location: "l"}
			got, err := e.Model(tt.name)
			if rest, ok := cutParent(want); ok {
				want = parent + rest
			}
			if got != want {
				t.Errorf("service %d: %q is %q, want %q (%v)", service, tt.name, got, want, err)
			}
			if isRefused := err != nil && err != endpoint.ErrNoModel; (want == "") != isRefused {
				t.Errorf("service %d: %q: %v", service, tt.name, err)
			}
		}
	}
	if _, err := new(endpoint.Endpoint).Model(""); err != endpoint.ErrNoModel {
		t.Error(err)
	}
}

// cutParent removes P, which means the client's project and location.
func cutParent(name string) (string, bool) {
	if len(name) > 1 && name[:2] == "P/" {
		return name[1:], true
	}
	return name, false
}
