package turn_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/go-json-experiment/json/jsontext"
)

func TestListOfLossesLeavesWhatElseIsInTheExtension(t *testing.T) {
	t.Parallel()
	extra := &openaiapi.ExtraContent{Unknown: jsontext.Value(`{"other":{"a":1}}`)}
	var lost report.Report
	lost.Add(report.Lost, "/user", "no")
	if err := (turn.Conversion{IsListed: true}).List(&extra, lost, nil); err != nil {
		t.Fatal(err)
	}
	const want = `{"other":{"a":1},"gemwire":{"request":[{"pointer":"/user","kind":"lost","detail":"no"}],"answer":[]}}`
	if got := string(extra.Unknown); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
