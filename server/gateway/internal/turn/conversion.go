package turn

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Conversion selects the information about the conversion that the client asks for.
type Conversion struct {
	IsStrict bool // nothing may be lost
	IsListed bool // the answer lists all
}

// RefuseLosses refuses losses if the client forbids them. Its error is a *[problem.Problem].
func (c Conversion) RefuseLosses(entries report.Report) error {
	if !c.IsStrict {
		return nil
	}
	if lost := entries.Of(report.Lost); lost != nil {
		return problem.Lossy(lost)
	}
	return nil
}

// List puts the reports of the request and of the answer into the extension of an answer, if the
// client asks for them.
func (c Conversion) List(extra **openaiapi.ExtraContent, request, answer report.Report) error {
	if !c.IsListed {
		return nil
	}
	listed, err := encodeReports(request, answer)
	if err != nil {
		return err
	}
	if *extra == nil {
		*extra = &openaiapi.ExtraContent{}
	}
	(*extra).Unknown = jsonx.MergeObjects((*extra).Unknown, jsonx.Object("gemwire", listed))
	return nil
}

// encodeReports returns extra_content.gemwire.
func encodeReports(request, answer report.Report) (jsontext.Value, error) {
	return json.Marshal(listedReports{reportsOf(request), reportsOf(answer)}, jsonx.Canonical)
}

// listedReports is extra_content.gemwire.
type listedReports struct {
	// Request has pointers into the client's request. Answer has pointers into Gemini's answer, or
	// into the list of its chunks.
	Request report.Report `json:"request"`
	Answer  report.Report `json:"answer"`
}

// reportsOf returns a report as a list that is never null.
func reportsOf(entries report.Report) report.Report {
	if entries == nil {
		return report.Report{}
	}
	return entries
}
