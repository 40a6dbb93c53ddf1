package serve

import (
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/config"
)

// TestAReloadDoesNotOpenTheGateway reloads settings that would be valid for another address. The
// process listens where it did.
func TestAReloadDoesNotOpenTheGateway(t *testing.T) {
	t.Parallel()
	open, err := config.Load(config.Sources{Flags: []config.Flag{{Name: "addr",
		Text: "0.0.0.0:8080"}, {Name: "callers_key", Text: "true"}}})
	if err != nil {
		t.Fatal(err)
	}
	local, err := config.Load(config.Sources{Flags: []config.Flag{{Name: "upstream",
		Text: "embedded"}}})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(open, io.Discard) // which never listens
	if err := s.setUp(t.Context(), "http://127.0.0.1:8080"); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.apply(local); err == nil ||
		!strings.Contains(err.Error(), "0.0.0.0:8080 is open to other machines") {
		t.Error(err)
	}
	if err := s.apply(open); err != nil {
		t.Error(err)
	}
}
