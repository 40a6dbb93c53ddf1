package signature_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
)

func TestASignatureFitsIntoAnIDThatIsAsLongAsItMayGet(t *testing.T) {
	t.Parallel()
	const sign = "EjQ+BB/d"
	for name, id := range map[string]string{"short": "call_1", "long": strings.Repeat("x", 50)} {
		size := len(chat.SignedID(id, sign))
		for limit, want := range map[int]bool{size: true, size - 1: false, size + 1: true} {
			c := &signature.Carrying{IDLength: limit, ByID: true, Memory: signature.NewMemory(10_000)}
			if got := c.Fits(id, sign); got != want {
				t.Errorf("%s: %d bytes fit into %d: %v", name, size, limit, got)
			}
			if isWhole := c.SignID()(id, sign) == chat.SignedID(id, sign); isWhole != want {
				t.Errorf("%s: an id of %d bytes, at most %d, has the signature: %v", name, size, limit,
					isWhole)
			}
		}
	}
}
