package gateway

import "github.com/gemwire/gemwire/server/gateway/internal/problem"

// form is one API that clients speak. Adding one is a room in internal/turn for what is said in it, and a line in routes.
type form struct {
	// name is that of [exchange.Start], "" for what answers paths that no form has.
	name string
	// idHeader is that of answers with the id of the request, timeHeader that with the milliseconds it took, "" for none.
	idHeader, timeHeader string
	// passesBodies leaves bodies unread, for the form itself to read.
	passesBodies bool
	// status returns the HTTP status of a problem, which is nil where it is the problem's own.
	status func(p *problem.Problem) int
	// appendProblem appends the body that reports a problem of a request.
	appendProblem func(dst []byte, p *problem.Problem, requestID string) []byte
	// beats is whether the form's streams have an event that only says that they are alive. It takes the place of comments,
	// which clients do not count.
	beats bool
}

// statusOf returns the HTTP status of a problem.
func (f *form) statusOf(p *problem.Problem) int {
	if f.status != nil {
		return f.status(p)
	}
	return p.Status
}
