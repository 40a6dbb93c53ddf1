// Package overview counts exchanges by client, kind of error, model, loss and account.
//
//	all := overview.Of(exchanges, from, until)
//	fmt.Println(all.Failed, "of", all.Requests, "requests failed")
package overview

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Exchange has the facts of an exchange that the overview counts.
type Exchange struct {
	Number        int
	At            time.Time
	Client, Model string
	// Failure is the kind of a failure, or "", and Message its text.
	Failure, Message string
	IsRunning        bool
	// Duration and FirstToken are in milliseconds. FirstToken is 0 for an exchange without it.
	Duration, FirstToken float64
	Tokens               int
	// Cost is nil if it is unknown.
	Cost     *float64
	Currency string
	Losses   []Loss
	Attempts []Attempt
	// Rest is the pause because of which no account was called, or nil.
	Rest *Rest
}

// Loss is a lost value. Pointer has "*" in place of numbers.
type Loss struct {
	Pointer string `json:"pointer"`
	Kind    string `json:"kind"`
	// Side is "client" for a loss of the request, and "upstream" for a loss of the answer.
	Side   string `json:"side"`
	Detail string `json:"detail"`
	// Docs is the path of the reference, and Todo says what to do. Both may be "".
	Docs string `json:"docs"`
	Todo string `json:"todo"`
}

// Attempt is a call of an account.
type Attempt struct {
	Account    string
	IsAnswered bool
	// Until is the end of the pause that the answer asked for, or zero. Reason is the error.
	Until  time.Time
	Reason string
}

// Rest is a pause of an account.
type Rest struct {
	Account, Reason string
	Until           time.Time
	By              int // the number of the exchange with the error, 0 for an unknown one
}

// Overview counts the exchanges of a time.
type Overview struct {
	From     time.Time `json:"from"`
	Until    time.Time `json:"until"`
	Requests int       `json:"requests"`
	Failed   int       `json:"failed"`
	Running  int       `json:"running"`
	Clients  []Client  `json:"clients"`
	Kinds    []Kind    `json:"kinds"`
	Models   []Model   `json:"models"`
	Losses   []Lost    `json:"losses"`
	Accounts []Account `json:"accounts"`
	// Spend is null: what was spent is kept by the store of the gateway, not here.
	Spend *struct{} `json:"spend"`
}

// Client counts the exchanges of a client. Kinds are the numbers of failures by kind.
type Client struct {
	Name     string         `json:"name"`
	Requests int            `json:"requests"`
	Failed   int            `json:"failed"`
	Kinds    map[string]int `json:"kinds"`
	Tokens   int            `json:"tokens"`
	Cost     *float64       `json:"cost"`
	Currency string         `json:"currency"`
}

// Kind counts the failures of a kind. Newest is the number of the newest, and Example its message.
type Kind struct {
	Kind     string `json:"kind"`
	Requests int    `json:"requests"`
	Newest   int    `json:"newest"`
	Example  string `json:"example"`
}

// Model has the durations of a model in milliseconds, of the exchanges that did not fail. Times to
// the first token are null without a stream.
type Model struct {
	Model    string   `json:"model"`
	Requests int      `json:"requests"`
	Failed   int      `json:"failed"`
	P50      *float64 `json:"p50"`
	P95      *float64 `json:"p95"`
	First50  *float64 `json:"first50"`
	First95  *float64 `json:"first95"`
	Cost     *float64 `json:"cost"`
	Currency string   `json:"currency"`

	durations, firsts []float64
}

// Lost counts the exchanges that lost a value. Newest is the number of the newest.
type Lost struct {
	Loss     `json:",inline"`
	Requests int `json:"requests"`
	Newest   int `json:"newest"`
}

// Account counts the calls of an account. Resting is why it is paused, or "", Until the end of the
// pause, and By the number of the exchange that caused it, or 0.
type Account struct {
	Name    string     `json:"name"`
	Resting string     `json:"resting"`
	Until   *time.Time `json:"until"`
	By      int        `json:"by"`
	Calls   int        `json:"calls"`
	Failed  int        `json:"failed"`
}

// Of counts exchanges that are sorted by number. It ignores those that began before from.
func Of(exchanges []Exchange, from, until time.Time) *Overview {
	o := &Overview{From: from, Until: until}
	c := counter{clients: map[string]*Client{}, kinds: map[string]*Kind{},
		models: map[string]*Model{}, losses: map[Loss]*Lost{}, accounts: map[string]*Account{}}
	for i := range exchanges {
		e := &exchanges[i]
		if e.At.Before(from) {
			continue
		}
		o.Requests++
		switch {
		case e.Failure != "":
			o.Failed++
		case e.IsRunning:
			o.Running++
		}
		c.count(e, until)
	}
	o.Clients = sorted(c.clients, func(a, b *Client) int {
		return cmp.Or(cmp.Compare(b.Failed, a.Failed), cmp.Compare(b.Requests, a.Requests),
			cmp.Compare(a.Name, b.Name))
	})
	o.Kinds = sorted(c.kinds, func(a, b *Kind) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Kind, b.Kind))
	})
	o.Models = sorted(c.models, func(a, b *Model) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Model, b.Model))
	})
	o.Losses = sorted(c.losses, func(a, b *Lost) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(b.Newest, a.Newest),
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Detail, b.Detail))
	})
	o.Accounts = sorted(c.accounts, func(a, b *Account) int { return cmp.Compare(a.Name, b.Name) })
	for i := range o.Models {
		o.Models[i].summarize()
	}
	return o
}

func sorted[K comparable, T any](rows map[K]*T, compare func(a, b *T) int) []T {
	pointers := make([]*T, 0, len(rows))
	for _, row := range rows {
		pointers = append(pointers, row)
	}
	slices.SortFunc(pointers, compare)
	out := make([]T, len(pointers))
	for i, row := range pointers {
		out[i] = *row
	}
	return out
}

// counter has the rows so far.
type counter struct {
	clients  map[string]*Client
	kinds    map[string]*Kind
	models   map[string]*Model
	losses   map[Loss]*Lost
	accounts map[string]*Account
}

// row returns the row of a key, and makes it if it is missing.
func row[K comparable, T any](rows map[K]*T, key K, empty T) *T {
	r := rows[key]
	if r == nil {
		r = &empty
		rows[key] = r
	}
	return r
}

func (c *counter) count(e *Exchange, now time.Time) {
	client := row(c.clients, e.Client, Client{Name: e.Client, Kinds: map[string]int{}})
	client.Requests++
	client.Tokens += e.Tokens
	addCost(&client.Cost, &client.Currency, e)
	if e.Failure != "" {
		client.Failed++
		client.Kinds[e.Failure]++
		kind := row(c.kinds, e.Failure, Kind{Kind: e.Failure})
		kind.Requests++
		kind.Newest, kind.Example = e.Number, e.Message
	}
	c.countModel(e)
	seen := map[Loss]bool{}
	for _, loss := range e.Losses {
		if !seen[loss] {
			seen[loss] = true
			lost := row(c.losses, loss, Lost{Loss: loss})
			lost.Requests++
			lost.Newest = e.Number
		}
	}
	c.countAccounts(e, now)
}

func (c *counter) countModel(e *Exchange) {
	if e.Model == "" {
		return
	}
	model := row(c.models, e.Model, Model{Model: e.Model})
	model.Requests++
	addCost(&model.Cost, &model.Currency, e)
	switch {
	case e.Failure != "":
		model.Failed++
	case !e.IsRunning:
		model.durations = append(model.durations, e.Duration)
		if e.FirstToken > 0 {
			model.firsts = append(model.firsts, e.FirstToken)
		}
	}
}

// addCost adds a cost, unless it has another currency than the costs before it.
func addCost(sum **float64, currency *string, e *Exchange) {
	if e.Cost == nil || *currency != "" && *currency != e.Currency {
		return
	}
	if *sum == nil {
		*sum = new(float64)
	}
	**sum += *e.Cost
	*currency = e.Currency
}

// countAccounts counts calls, and notes which accounts are paused. An answer ends a pause.
func (c *counter) countAccounts(e *Exchange, now time.Time) {
	for _, a := range e.Attempts {
		account := row(c.accounts, a.Account, Account{Name: a.Account})
		account.Calls++
		if !a.IsAnswered {
			account.Failed++
		}
		if a.IsAnswered || a.Until.After(now) {
			account.rest(a.Reason, a.Until, e.Number, now)
		}
	}
	if e.Rest != nil && e.Rest.Until.After(now) {
		account := row(c.accounts, e.Rest.Account, Account{Name: e.Rest.Account})
		account.rest(e.Rest.Reason, e.Rest.Until, e.Rest.By, now)
	}
}

// rest sets a pause, or ends it if it is over.
func (a *Account) rest(reason string, until time.Time, by int, now time.Time) {
	if !until.After(now) {
		a.Resting, a.Until, a.By = "", nil, 0
		return
	}
	a.Resting, a.Until, a.By = cmp.Or(reason, "unknown"), &until, by
}

// summarize computes the percentiles.
func (m *Model) summarize() {
	m.P50, m.P95 = percentile(m.durations, 0.5), percentile(m.durations, 0.95)
	m.First50, m.First95 = percentile(m.firsts, 0.5), percentile(m.firsts, 0.95)
}

// percentile returns the smallest value that a share of all values does not exceed, or nil.
func percentile(values []float64, share float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	at := int(math.Ceil(share*float64(len(values)))) - 1
	return &values[max(0, at)]
}
