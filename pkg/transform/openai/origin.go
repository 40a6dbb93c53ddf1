package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// origins are the locations of what the completion has of the response as a whole. That of a member that
// no chunk has is the first chunk, where it is missed.
type origins struct {
	responseID, model, createTime normalize.Location
	isLate                        struct{ responseID, model, createTime bool } // The first chunk does not have it.
	feedback                      normalize.Location                           // of the last promptFeedback
}

func newOrigins(start *normalize.Event) origins {
	o := origins{responseID: start.Source, model: start.Source, createTime: start.Source}
	o.isLate.responseID, o.isLate.model, o.isLate.createTime = start.ID == "", start.Model == "", start.CreateTime == ""
	return o
}

// add adds the chunk that is the first to have a member, if it is not the first of all.
func (o *origins) add(late *geminiapi.GenerateContentResponse, source normalize.Location) {
	take := func(origin *normalize.Location, isLate *bool, value *string) {
		if *isLate && value != nil {
			*origin, *isLate = source, false
		}
	}
	take(&o.responseID, &o.isLate.responseID, late.ResponseID)
	take(&o.model, &o.isLate.model, late.ModelVersion)
	take(&o.createTime, &o.isLate.createTime, late.CreateTime)
}

// reportIdentity adds a report about the id, the model and the time, each entry at its origin.
func (s *Stream) reportIdentity(report transform.Report) {
	for _, e := range report {
		at := s.origin.createTime
		switch e.Pointer {
		case "/responseId":
			at = s.origin.responseID
		case "/modelVersion":
			at = s.origin.model
		}
		s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
	}
}

// reportUsage adds a report about the usage, each entry at the last chunk with the member that it is about.
func (s *Stream) reportUsage(report transform.Report) {
	records := s.source.UsageRecords()
	for _, e := range report {
		at := s.source.Location()
		for _, record := range records {
			switch {
			case hasMember(record.Wire, e.Pointer):
				at = record.Location()
			case e.Pointer == usagePointer:
				s.reportRecord(&record, e)
			}
		}
		if e.Pointer != usagePointer || len(records) == 0 {
			s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
		}
	}
}

// reportRecord adds an entry at every chunk that has a record of the usage.
func (s *Stream) reportRecord(record *normalize.UsageRecord, e transform.Entry) {
	for _, at := range record.Locations() {
		s.source.AddEntry(e.Kind, at, e.Pointer, e.Detail)
	}
}

// hasMember reports whether a record has the member that a pointer leads to, or one that the value is in.
func hasMember(usage *geminiapi.UsageMetadata, pointer string) bool {
	for name := range rawobject.Members(encoded(usage)) {
		if jsontext.Pointer(usagePointer).AppendToken(name).Contains(jsontext.Pointer(pointer)) {
			return true
		}
	}
	return false
}
