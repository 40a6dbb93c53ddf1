package gateway

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// conversion is how much of what a conversion does the client wants to hear of.
type conversion struct {
	isStrict bool // nothing may be lost
	isListed bool // the answer lists all
}

// readConversion reads what the client wants to hear of. A switch that is neither on nor off is refused: one that asks for
// no losses must not be passed over.
func (c *call) readConversion() (p *problem.Problem) {
	if c.wanted.isStrict, p = c.switchIn("X-Gemwire-Strict"); p != nil {
		return p
	}
	c.wanted.isStrict = c.wanted.isStrict || c.strict
	c.wanted.isListed, p = c.switchIn("X-Gemwire-Report")
	return p
}

// switchIn reads a header that switches something on.
func (c *call) switchIn(header string) (bool, *problem.Problem) {
	switch value := c.request.Header.Get(header); strings.ToLower(value) {
	case "true", "1":
		return true, nil
	case "false", "0", "":
		return false, nil
	default:
		return false, problem.Invalid("invalid_header", "", strings.ToLower(header)+": must be true or false")
	}
}

// conversion returns what the client wants to hear of.
func (c *call) conversion() conversion { return c.wanted }

// refuseLosses refuses losses where none may be. Its error is a *[problem.Problem].
func (s conversion) refuseLosses(report transform.Report) error {
	if !s.isStrict {
		return nil
	}
	if lost := report.Of(transform.Lost); lost != nil {
		return problem.Lossy(lost)
	}
	return nil
}

// list puts the reports of the request and of the answer into the extension of an answer, if the client asks for them.
func (s conversion) list(extra **openaiapi.ExtraContent, request, answer transform.Report) error {
	if !s.isListed {
		return nil
	}
	told, err := toldReports(request, answer)
	if err != nil {
		return err
	}
	if *extra == nil {
		*extra = &openaiapi.ExtraContent{}
	}
	(*extra).Unknown = rawobject.Merge((*extra).Unknown, rawobject.Of("gemwire", told))
	return nil
}

// toldReports returns extra_content.gemwire.
func toldReports(request, answer transform.Report) (jsontext.Value, error) {
	return json.Marshal(listedReports{reportsOf(request), reportsOf(answer)}, wirejson.Canonical)
}

// listed returns the reports as the extension of an answer that has no other members there.
func (s conversion) listed(request, answer transform.Report) (jsontext.Value, error) {
	told, err := toldReports(request, answer)
	if err != nil {
		return nil, err
	}
	return rawobject.Of("gemwire", told), nil
}

// listedReports is extra_content.gemwire.
type listedReports struct {
	// Request has pointers into the client's request, Answer into Gemini's answer or the list of its chunks.
	Request transform.Report `json:"request"`
	Answer  transform.Report `json:"answer"`
}

// reportsOf returns a report that is a list also when it is empty.
func reportsOf(report transform.Report) transform.Report {
	if report == nil {
		return transform.Report{}
	}
	return report
}
