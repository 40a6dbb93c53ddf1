package signature_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/signature"
)

func TestStoredItemsAreFoundByTheirIDs(t *testing.T) {
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

func TestSignatureThatFollowsItsIDIsFoundByTheID(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(10_000)
	named := m.Keep("b", "early")
	for _, id := range []string{"a", named, ""} {
		for range 2 {
			if !m.KeepLate(id, "late") {
				t.Errorf("%q leads nowhere", id)
			}
		}
		if bare, found, isNamed := m.Find(id); found != "late" || isNamed != (id == named) ||
			isNamed && bare != "b" {
			t.Errorf("%q is %q with %q", id, bare, found)
		}
	}
	if _, found, _ := m.Find(m.Keep("a", "early")); found != "early" {
		t.Errorf("the name leads to %q", found)
	}
	if m.KeepLate("c", strings.Repeat("x", 10_000)) {
		t.Error("what is larger than the memory is kept")
	}
}

// If two calls have the same id, it is unknown which one comes back. No signature is better than a
// wrong one.
func TestIDOfTwoCallsLeadsToNoSignature(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(10_000)
	if !m.KeepLate("a", "one") || m.KeepLate("a", "two") || m.KeepLate("a", "one") {
		t.Error("the id leads to one of them")
	}
	if _, found, _ := m.Find("a"); found != "" {
		t.Errorf("found %q", found)
	}
}

func TestMemoryForgetsLateOnesToo(t *testing.T) {
	t.Parallel()
	m := signature.NewMemory(10_000)
	for i := range 50 {
		m.KeepLate("id-"+strconv.Itoa(i), strings.Repeat("x", 2000))
	}
	for i, want := range map[int]bool{0: false, 44: false, 46: true, 49: true} {
		if _, found, _ := m.Find("id-" + strconv.Itoa(i)); (found != "") != want {
			t.Errorf("%d is found: %t, expected %t", i, found != "", want)
		}
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

func TestAMemoryIsFilledToItsLastByte(t *testing.T) {
	t.Parallel()
	size := 1 // of one entry: the smallest memory that keeps it
	for !signature.NewMemory(size).KeepLate("a", "text") {
		size++
	}
	for limit, isKept := range map[int]bool{2 * size: true, 2*size - 1: false} {
		m := signature.NewMemory(limit)
		m.KeepLate("a", "text")
		m.KeepLate("b", "text")
		_, first, _ := m.Find("a")
		_, second, _ := m.Find("b")
		if (first != "") != isKept || second == "" {
			t.Errorf("two entries of %d bytes in %d: found %q and %q", size, limit, first, second)
		}
	}
}
