package report_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
)

func TestReportCoversThePointerAndAllBelowIt(t *testing.T) {
	t.Parallel()
	entries := report.Report{
		{Pointer: "/candidates/0/groundingMetadata", Kind: report.Lost, Detail: "no place for it"},
	}
	for pointer, want := range map[string]bool{
		"/candidates/0/groundingMetadata":                    true,
		"/candidates/0/groundingMetadata/webSearchQueries/0": true,
		"/candidates/0/groundingMetadataOfAnother":           false,
		"/candidates/0":                                       false,
		"/candidates/01/groundingMetadata":                    false,
		"/candidates/0/groundingMetadata~1webSearchQueries/0": false,
	} {
		if got := entries.Covers(pointer); got != want {
			t.Errorf("Covers(%q) = %v, want %v", pointer, got, want)
		}
	}
	whole := report.Report{{Pointer: "", Kind: report.Lost, Detail: "all of it"}}
	if !whole.Covers("/anything") || !whole.Covers("") {
		t.Error("the empty pointer covers everything")
	}
}

func TestStrictRefusesLossesOnly(t *testing.T) {
	t.Parallel()
	var entries report.Report
	if err := entries.Strict(); err != nil {
		t.Errorf("an empty report: %v", err)
	}
	entries.Add(report.Added, "/responseId", "made")
	entries.Add(report.Approximated, "/candidates/0/finishReason", "reported as stop")
	if err := entries.Strict(); err != nil {
		t.Errorf("a report without losses: %v", err)
	}
	entries.Add(report.Lost, "/modelStatus", "no place for it")
	entries.Add(report.Lost, "/createTime", "no place for it")

	err := entries.Strict()
	var loss *report.LossError
	if !errors.As(err, &loss) {
		t.Fatalf("got %v, want a *LossError", err)
	}
	if len(loss.Lost) != 2 || loss.Lost[0].Pointer != "/modelStatus" {
		t.Errorf("got %v, want the two losses in order", loss.Lost)
	}
	want := "transform: the conversion would lose /modelStatus: no place for it (and 1 more)"
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	first, ok := errors.AsType[report.Loss](err)
	pointer, offset := first.Location()
	if !ok || pointer != "/modelStatus" || offset != -1 ||
		first.Reason() != "lost: no place for it" ||
		first.Error() != "lost /modelStatus: no place for it" {
		t.Errorf("the first loss is %#v", first)
	}
}

func TestOfKeepsTheOrder(t *testing.T) {
	t.Parallel()
	var entries report.Report
	entries.Add(report.Lost, "/b", "")
	entries.Add(report.Added, "/c", "")
	entries.Add(report.Lost, "/a", "")
	lost := entries.Of(report.Lost)
	if len(lost) != 2 || lost[0].Pointer != "/b" || lost[1].Pointer != "/a" {
		t.Errorf("got %v", lost)
	}
	if got := entries.Of(report.Approximated); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}

func ExampleReport() {
	var entries report.Report
	entries.Add(report.Lost, "/candidates/0/safetyRatings", "chat_completions has no member for it")
	for _, entry := range entries {
		fmt.Println(entry)
	}
	fmt.Println(entries.Covers("/candidates/0/safetyRatings/3/blocked"))
	// Output:
	// lost /candidates/0/safetyRatings: chat_completions has no member for it
	// true
}
