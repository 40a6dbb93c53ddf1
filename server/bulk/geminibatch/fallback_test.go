package geminibatch_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/ratecard"
)

func TestWithoutTheFallbackNoLiveCallIsMadeUntilItIsAllowed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), ofQuestions(5))
		gone := a.through(func(r *http.Request, reply *http.Response) {
			if strings.HasSuffix(r.URL.Path, ":download") {
				reply.StatusCode = http.StatusNotFound
				setBody(reply, `{"error":{"code":404,"message":"gone","status":"NOT_FOUND"}}`)
			}
		})
		a.withClient(gone, a.live)
		allowed := a.executor
		a.executor = without(t, a, gone)
		for {
			later, ok := errors.AsType[*bulk.LaterError](a.look())
			if !ok {
				t.Fatal("the range does not wait")
			}
			if later.Park {
				if later.Reason != geminibatch.ReasonLive {
					t.Errorf("%+v", later)
				}
				break
			}
			time.Sleep(later.After)
		}
		if n := a.count("generateContent"); n != 0 || len(a.results) != 0 {
			t.Errorf("%d live calls", n)
		}
		a.executor = allowed
		a.finish()
		a.checkAnswers()
	})
}

// without returns an executor that makes no live calls.
func without(t *testing.T, a *asked, client *gemini.Client) *geminibatch.Executor {
	t.Helper()
	executor, err := geminibatch.New(client, a.gateway, a.live,
		geminibatch.WithRateCard(ratecard.Google()), geminibatch.WithoutLiveFallback())
	if err != nil {
		t.Fatal(err)
	}
	return executor
}
