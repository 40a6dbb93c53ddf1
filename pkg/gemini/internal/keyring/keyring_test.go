package keyring_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/internal/keyring"
)

func TestARestDoublesUpToItsLimit(t *testing.T) {
	t.Parallel()
	const s = time.Second
	ring := keyring.New("a", "b")
	now := time.Unix(0, 0)
	a := ring.Take(now)
	a.Rest(now, s, s, 5*s)
	b := ring.Take(now)
	a.Good()
	for _, rest := range []time.Duration{s, 2 * s, 4 * s, 5 * s, 5 * s} {
		a.Rest(now, 0, s, 5*s)
		if b.Rest(now.Add(rest-1), time.Hour, s, time.Hour) {
			t.Errorf("the key rests for less than %v", rest)
		}
		now = now.Add(rest)
		if !b.Rest(now, time.Hour, s, time.Hour) {
			t.Errorf("the key rests for more than %v", rest)
		}
	}
}

func TestIfAllKeysArePausedTheOneWithTheShortestPauseIsUsed(t *testing.T) {
	t.Parallel()
	ring := keyring.New("a", "", "b", "c")
	now := time.Unix(0, 0)
	for _, rest := range []time.Duration{30 * time.Second, 10 * time.Second, 20 * time.Second} {
		ring.Take(now).Rest(now, rest, time.Second, time.Hour)
	}
	if got := ring.Take(now).Secret(); got != "b" {
		t.Errorf("%s is taken", got)
	}
	if got := ring.Take(now.Add(25 * time.Second)); got.Secret() != "b" || ring.Len() != 3 {
		t.Errorf("%s is taken", got.Secret())
	}
}

func TestAKeyIsNotPrinted(t *testing.T) {
	t.Parallel()
	ring := keyring.New("k-secret")
	for _, value := range []any{ring, ring.Take(time.Time{})} {
		if text := fmt.Sprintf("%v %+v %#v %s", value, value, value, value); strings.Contains(text,
			"k-secret") {
			t.Error(text)
		}
	}
}
