package signature_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/pkg/gateway/internal/signature"
)

func TestWhatIsKeptIsFoundByItsID(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(1 << 20)
	first, second := m.Keep("a", "one"), m.Keep("a", "two")
	if first == second || first != m.Keep("a", "one") {
		t.Errorf("the ids are %q and %q", first, second)
	}
	for id, want := range map[string][2]string{
		first: {"a", "one"}, second: {"a", "two"}, strings.Replace(first, "a", "other", 1): {"other", "one"}, "a": {"a", ""}, "": {"", ""}, first + "x": {"a", ""},
	} {
		if bare, found, _ := m.Find(id); bare != want[0] || found != want[1] {
			t.Errorf("%q is %q with %q, expected %q", id, bare, found, want)
		}
	}
	if _, _, isNamed := m.Find(first + "x"); !isNamed {
		t.Error("an id with an unknown name has none")
	}
}

func TestMemoryForgetsWhatWasNotUsedForLongest(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(10_000)
	large := func(i int) string { return strings.Repeat(strconv.Itoa(i), 2000) }
	var ids []string
	for i := range 4 {
		ids = append(ids, m.Keep("id", large(i)))
	}
	m.Find(ids[0])
	ids = append(ids, m.Keep("id", large(5)))
	for i, want := range []bool{true, false, true, true, true} {
		if _, found, _ := m.Find(ids[i]); (found != "") != want {
			t.Errorf("%d is found: %t, expected %t", i, found != "", want)
		}
	}
	if id := m.Keep("id", strings.Repeat("x", 10_000)); id != "id" {
		t.Errorf("what is larger than the memory is named %q", id)
	}
}

func TestMemoryIsUsedByManyAtOnce(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(5_000)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 200 {
				id := m.Keep("id", strconv.Itoa(i*j))
				if bare, _, _ := m.Find(id); bare != "id" {
					t.Errorf("%q is %q", id, bare)
				}
			}
		})
	}
	group.Wait()
}
