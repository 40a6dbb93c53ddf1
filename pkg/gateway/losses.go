package gateway

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json"
)

// conversion is how much of what a conversion does the client wants to hear of.
type conversion struct {
	isStrict bool // nothing may be lost
	isListed bool // the answer lists all
}

// conversion reads what the client wants to hear of.
func (c *call) conversion() conversion {
	header := c.request.Header
	return conversion{
		isStrict: c.strict || header.Get("X-Gemwire-Strict") == "true",
		isListed: header.Get("X-Gemwire-Report") == "true",
	}
}

// refuseLosses refuses losses where none may be. Its error is a *[Problem].
func (s conversion) refuseLosses(report transform.Report) error {
	if !s.isStrict {
		return nil
	}
	if lost := report.Of(transform.Lost); lost != nil {
		return lossy(lost)
	}
	return nil
}

// list puts the reports of the request and of the answer into the extension of an answer, if the client asks for them.
func (s conversion) list(extra **openaiapi.ExtraContent, request, answer transform.Report) error {
	if !s.isListed {
		return nil
	}
	told, err := json.Marshal(listedReports{reportsOf(request), reportsOf(answer)}, wirejson.Canonical)
	if err != nil {
		return err
	}
	if *extra == nil {
		*extra = &openaiapi.ExtraContent{}
	}
	(*extra).Unknown = rawobject.Merge((*extra).Unknown, rawobject.Of("gemwire", told))
	return nil
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
