package inspector

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/go-json-experiment/json"
)

// maxWaiting is the maximum number of replays that wait or run. They take at most a quarter of a
// smaller list.
const maxWaiting = 500

// maxReplaysOf returns maxWaiting for a list of a size.
func maxReplaysOf(maxExchanges int) int {
	const share = 4
	return min(maxWaiting, max(maxReplays, maxExchanges/share))
}

// reserveReplays reserves places for replays, which must all be started. If too many wait or run,
// it answers with an error and reports false.
func (i *Inspector) reserveReplays(w http.ResponseWriter, n int) bool {
	if i.replays.reserve(n) {
		return true
	}
	refuse(w, http.StatusTooManyRequests,
		fmt.Sprintf("too many replays: at most %d may wait or run", i.replays.max))
	return false
}

// replayedOne is a replay of many. Number is 0, and Error says why, if it cannot be sent.
type replayedOne struct {
	Of     int    `json:"of"`
	Number int    `json:"number,omitzero"`
	Error  string `json:"error,omitzero"`
}

// replayMany sends the requests of many exchanges again. It answers with the numbers of the new
// exchanges. At most maxReplays of them run at the same time, in order.
func (i *Inspector) replayMany(w http.ResponseWriter, r *http.Request) {
	var want struct {
		Numbers []int  `json:"numbers"`
		Model   string `json:"model"`
		Account string `json:"account"`
	}
	if !readJSON(w, r, &want) {
		return
	}
	if len(want.Numbers) > i.replays.max {
		refuse(w, http.StatusBadRequest,
			fmt.Sprintf("numbers: at most %d requests can be sent at once", i.replays.max))
		return
	}
	answer := struct {
		Started []replayedOne `json:"started"`
		Failed  []replayedOne `json:"failed"`
	}{[]replayedOne{}, []replayedOne{}}
	var plans []*replayPlan
	for _, number := range want.Numbers {
		plan, err := i.planOf(r.Context(), number, &replayEdit{Model: want.Model, Account: want.Account})
		if err != nil {
			answer.Failed = append(answer.Failed, replayedOne{Of: number, Error: err.Error()})
			continue
		}
		plans = append(plans, plan)
	}
	if !i.reserveReplays(w, len(plans)) {
		return
	}
	for _, plan := range plans {
		run := i.startReplay(plan)
		answer.Started = append(answer.Started, replayedOne{Of: plan.of, Number: run.record.number})
	}
	writeJSON(w, http.StatusOK, answer)
}

// planOf returns the replay of the exchange with a number.
func (i *Inspector) planOf(ctx context.Context, number int, edit *replayEdit) (*replayPlan, error) {
	kept, ok := i.store.snapshot(ctx, number)
	if !ok {
		return nil, errDropped
	}
	return i.plan(&kept, edit)
}

// choicesLimit is how long the gateway may take to list its models. A dialog waits for them, and
// without them it offers the models of recorded exchanges.
const choicesLimit = time.Second

// quietMark marks a request that is not recorded.
type quietMark struct{}

// replayChoices answers with the models and accounts that a replay may choose.
func (i *Inspector) replayChoices(w http.ResponseWriter, r *http.Request) {
	choices := struct {
		Models   []string `json:"models"`
		Accounts []string `json:"accounts"`
	}{i.modelsOfGateway(r.Context()), []string{}}
	seen := i.store.copies()
	for n := range seen {
		if end := seen[n].end; end != nil && end.Model != "" && end.Status < http.StatusBadRequest {
			choices.Models = append(choices.Models, end.Model)
		}
	}
	if i.accounts != nil {
		choices.Accounts = append(choices.Accounts, i.accounts()...)
	}
	for _, names := range []*[]string{&choices.Models, &choices.Accounts} {
		slices.Sort(*names)
		*names = slices.DeleteFunc(slices.Compact(*names), func(s string) bool { return s == "" })
	}
	writeJSON(w, http.StatusOK, choices)
}

// modelsOfGateway returns the models that the gateway lists. Without an answer the list is empty.
func (i *Inspector) modelsOfGateway(ctx context.Context) []string {
	names := []string{}
	if i.replay == nil {
		return names
	}
	ctx, cancel := context.WithTimeout(exchange.WithMark(ctx, quietMark{}), choicesLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/v1/models",
		nil)
	if err != nil {
		return names
	}
	request.RequestURI, request.RemoteAddr = "/v1/models", "inspector"
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	answer := i.answerTo(request)
	if json.Unmarshal(answer, &list) != nil {
		return names
	}
	for _, model := range list.Data {
		names = append(names, model.ID)
	}
	return names
}

// answerTo returns the body of the gateway's answer.
func (i *Inspector) answerTo(request *http.Request) []byte {
	const most = 1 << 20
	body := &wholeReply{reply: reply{header: http.Header{}}, most: most}
	defer func() { _ = recover() }() // as in send
	i.replay.ServeHTTP(body, request)
	return body.Bytes()
}

// wholeReply keeps the body of an answer, up to a size.
type wholeReply struct {
	reply
	bytes.Buffer
	most int
}

func (r *wholeReply) Write(data []byte) (int, error) {
	if r.Len()+len(data) > r.most {
		return 0, io.ErrShortWrite
	}
	return r.Buffer.Write(data)
}
