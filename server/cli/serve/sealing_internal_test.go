package serve

import (
	"bytes"
	"testing"
)

func TestTheSealingSecretHasNothingOfTheStoresKey(t *testing.T) {
	t.Parallel()
	const key = "a key of the store"
	first, err := sealingSecret(key)
	if err != nil || len(first) != 32 || bytes.Contains(first, []byte(key[:8])) {
		t.Fatalf("%d bytes, %v", len(first), err)
	}
	again, _ := sealingSecret(key)
	other, _ := sealingSecret(key + "2")
	if !bytes.Equal(first, again) || bytes.Equal(first, other) {
		t.Error("the secret must depend on the key only")
	}
}
