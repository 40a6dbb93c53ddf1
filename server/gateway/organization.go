package gateway

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/server/gateway/internal/organization"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	usage "github.com/gemwire/gemwire/server/usage/row"
)

// UsageReader has what clients used, such as a [usage.Book].
type UsageReader interface {
	// Rows returns the rows of the days from one to another, both included. An empty day is no
	// bound.
	Rows(ctx context.Context, from, until string) ([]usage.Row, error)
	// Losses returns the processes that were killed since a time.
	Losses(ctx context.Context, since time.Time) ([]usage.Loss, error)
}

// WithUsage serves the usage of all keys to admin keys: OpenAI's lists
// /v1/organization/usage/completions and /v1/organization/costs, and all numbers at
// /v1/organization/usage/rows. A gateway without client keys serves them to this machine only, and
// not through a proxy. By default they do not exist.
func WithUsage(reader UsageReader) Option { return func(s *settings) { s.usage = reader } }

// organizationForm is the usage part of OpenAI's administration API.
var organizationForm = openAIOperation("organization")

// organizationRoutes adds the paths of usage.
func organizationRoutes(router chi.Router, s *setup) {
	if s.usage == nil {
		return
	}
	list := func(kind organization.Kind) http.HandlerFunc {
		return s.asAdmin(func(c *call) *problem.Problem { return c.listUsage(kind) })
	}
	router.Get("/v1/organization/usage/completions", list(organization.Completions))
	router.Get("/v1/organization/usage/embeddings", list(organization.Embeddings))
	router.Get("/v1/organization/costs", list(organization.Costs))
	router.Get("/v1/organization/usage/rows", s.asAdmin((*call).allUsage))
}

// asAdmin answers requests with an admin key.
func (s *setup) asAdmin(answer func(*call) *problem.Problem) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, &organizationForm, func(c *call) *problem.Problem {
			if c.key == nil && !c.callersKey && !isOfThisMachine(r) {
				return &problem.Problem{Status: http.StatusForbidden,
					Type: problem.TypeInvalidRequest, Code: "permission_denied",
					Message: "the gateway has no client keys, so only this machine may read the " +
						"usage of all; elsewhere it needs a client key with admin: true"}
			}
			if c.callersKey || c.key != nil && !c.key.IsAdmin() {
				return &problem.Problem{Status: http.StatusForbidden,
					Type: problem.TypeInvalidRequest, Code: "permission_denied",
					Message: "the usage of all keys needs a client key with admin: true"}
			}
			return answer(c)
		})
	}
}

// isOfThisMachine reports whether a request comes from this machine, and not through a proxy on it.
func isOfThisMachine(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	address := net.ParseIP(host)
	return address != nil && address.IsLoopback()
}

// listUsage answers with one of OpenAI's lists.
func (c *call) listUsage(kind organization.Kind) *problem.Problem {
	query, p := organization.Read(kind, c.request.URL.Query(), c.now())
	if p != nil {
		return p
	}
	first, last := query.Days()
	rows, err := c.usage.Rows(c.request.Context(), first, last)
	if err != nil {
		return c.usageFailed(err)
	}
	body, err := query.Encode(kind, rows)
	if err != nil {
		return c.failed(err)
	}
	c.writeWhole(http.StatusOK, body)
	return nil
}

// UsageReport is the answer of /v1/organization/usage/rows.
type UsageReport struct {
	Rows []usage.Row `json:"rows"`
	// Losses are the processes that were killed. Each may have lost its last second.
	Losses []usage.Loss `json:"losses"`
}

// allUsage answers with all numbers of the days from the parameter from to the parameter until.
func (c *call) allUsage() *problem.Problem {
	values := c.request.URL.Query()
	from, until := values.Get("from"), values.Get("until")
	for _, name := range []string{"from", "until"} {
		if text := values.Get(name); text != "" {
			if _, err := time.Parse(time.DateOnly, text); err != nil {
				return problem.Invalid("", "/"+name, name+": must be a day such as 2026-12-31")
			}
		}
	}
	since, _ := time.Parse(time.DateOnly, from)
	report := &UsageReport{}
	var err error
	if report.Rows, err = c.usage.Rows(c.request.Context(), from, until); err != nil {
		return c.usageFailed(err)
	}
	if report.Losses, err = c.usage.Losses(c.request.Context(), since); err != nil {
		return c.usageFailed(err)
	}
	body, err := json.Marshal(report, json.FormatNilSliceAsNull(false))
	if err != nil {
		return c.failed(err)
	}
	c.writeWhole(http.StatusOK, body)
	return nil
}

// usageFailed returns the problem of a store that does not answer.
func (c *call) usageFailed(err error) *problem.Problem {
	return &problem.Problem{Status: http.StatusServiceUnavailable, Type: problem.TypeServer,
		Code: "store_unavailable", Message: "the store of usage does not answer",
		RetryAfter: time.Second, Err: err}
}
