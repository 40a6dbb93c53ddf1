package bulk

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestResultsAreWrittenTogetherWhenTheirSizeIsReached(t *testing.T) {
	t.Parallel()
	body := jsontext.Value(`"` + strings.Repeat("x", flushBytes/4) + `"`)
	for name, result := range map[string]line.Result{
		"bodies": {Response: &line.Response{Status: 200, Body: body}},
		"ids":    {CustomID: string(body)},
	} {
		s := openSwept(t)
		s.submit("job", Submission{})
		job := s.record("job")
		log, err := rangelog.Open(t.Context(), s.engine, job.log(), 0)
		if err != nil {
			t.Fatal(err)
		}
		h := s.newHolding(t.Context(), job, 0, log)
		h.timer = time.NewTimer(time.Hour) // only the size counts
		for number := 1; number <= 8; number++ {
			result.Number = number
			if err := h.write(t.Context(), result); err != nil {
				t.Fatal(err)
			}
			if number >= 4 {
				h.timer = time.NewTimer(time.Hour)
			}
			if has := log.Has(number); has != (number%4 == 0) {
				t.Errorf("%s: result %d is written at once: %v", name, number, has)
			}
		}
		if !log.Has(1) || !log.Has(8) {
			t.Errorf("%s: results are missing", name)
		}
	}
}
