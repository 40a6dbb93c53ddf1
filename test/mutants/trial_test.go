package main

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestWhatGoTestPrintsIsAVerdict(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		out  string
		ok   bool
		want verdict
	}{
		"all pass": {"ok  \texample/p\t0.1s\n", true, verdict{survives, ""}},
		"a test fails": {
			"--- FAIL: TestSum (0.00s)\n    p_test.go:4: no\nFAIL\nFAIL\texample/p\t0.1s\n", false,
			verdict{killed, "TestSum"},
		},
		"a test fails and the exit code is 0": {"--- FAIL: TestSum (0.00s)\nFAIL\n", true, verdict{killed, "TestSum"}},
		"a goroutine panics": {
			"panic: assignment to entry in nil map\n\ngoroutine 1:\nFAIL\texample/p\t0.1s\n", false,
			verdict{killed, "panic: assignment to entry in nil map"},
		},
		"time is over":           {"panic: test timed out after 20s\nFAIL\texample/p\t20s\n", false, verdict{timedOut, ""}},
		"memory is over":         {"fatal error: out of memory\nFAIL\n", false, verdict{killed, "fatal error: out of memory"}},
		"a test does not build":  {"# example/p\np.go:1:1: no\nFAIL\texample/p [build failed]\n", false, verdict{notViable, ""}},
		"the program ends early": {"FAIL\texample/p\t0.1s\n", false, verdict{killed, "FAIL example/p 0.1s"}},
	} {
		if got := judge([]byte(test.out), test.ok); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestTheTimeOfEachPackageIsRead(t *testing.T) {
	t.Parallel()
	took := elapsed("example",
		[]byte("ok  \texample/p\t0.50s\n?   \texample/q\t[no test files]\nok  \texample/r/s\t2s\n"))
	if len(took) != 2 || took["./p"] != 500*time.Millisecond || took["./r/s"] != 2*time.Second {
		t.Errorf("got %v", took)
	}
}

func TestARoomFailsBelowThePercentage(t *testing.T) {
	t.Parallel()
	of := func(killedCount, survivedCount int) row {
		r := row{room: "p"}
		for range killedCount {
			r.add(mutant{}, verdict{outcome: killed})
		}
		for range survivedCount {
			r.add(mutant{}, verdict{outcome: survives})
		}
		r.add(mutant{}, verdict{outcome: notViable})
		return r
	}
	for _, test := range []struct {
		killed, survived int
		want             bool
	}{{9, 1, true}, {18, 2, true}, {17, 3, false}, {89, 11, false}, {20, 0, true}} {
		if r := of(test.killed, test.survived); r.enough(90) != test.want {
			t.Errorf("%d killed of %d: enough is %v", test.killed, r.mutants(), r.enough(90))
		}
	}
	if r := of(0, 0); r.mutants() != 0 {
		t.Error("a mutant that does not compile is counted")
	}
}

// The module of this test has a sum that is tested, a comparison whose boundary is not, and a +
// that has no other operator to become.
func TestMutantsOfAModule(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the tests of a module")
	}
	m := &module{path: "example", folder: t.TempDir(),
		settings: settings{memory: 8, root: write(t, "server/bulk/p.go", `package bulk

func Sum(a, b int) int { return a + b }

func Old(age int) bool { return age > 67 }

func Name(first string) string { return first + "!" }
`)}}
	for name, content := range map[string]string{
		"go.mod": "module example\n\ngo 1.26.0\n",
		"server/bulk/p_test.go": `package bulk

import "testing"

func TestSum(t *testing.T) {
	if Sum(2, 3) != 5 || Old(3) || !Old(99) || Name("a") != "a!" {
		t.Error("wrong")
	}
}
`,
	} {
		writeIn(t, m.root, name, content)
	}
	ctx := context.Background()
	tests, err := m.tests(ctx, room{"bulk", "server/bulk"})
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string][]verdict{
		"server/bulk/p.go:3:35": {{killed, "TestSum"}},
		"server/bulk/p.go:5:37": {{survives, ""}, {killed, "TestSum"}}, // >= and <=
		"server/bulk/p.go:7:47": {{notViable, ""}},
	} {
		mutants, err := m.at(place)
		if err != nil || len(mutants) != len(want) {
			t.Errorf("%s: got %v, %v; want %d mutants", place, mutants, err, len(want))
			continue
		}
		for i, mutant := range mutants {
			if got, err := tests.try(ctx, mutant); err != nil || got != want[i] {
				t.Errorf("%s: got %v, %v; want %v", mutant, got, err, want[i])
			}
		}
	}
}

func TestTestsThatFailWithoutAMutantAreAnError(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the tests of a module")
	}
	m := &module{path: "example", folder: t.TempDir(),
		settings: settings{memory: 8, root: write(t, "go.mod", "module example\n")}}
	writeIn(t, m.root, "server/bulk/p_test.go",
		"package bulk\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Error() }\n")
	_, err := m.tests(context.Background(), room{"bulk", "server/bulk"})
	if err == nil || !strings.Contains(err.Error(), "fail without a mutant") {
		t.Errorf("got %v; want an error", err)
	}
}
