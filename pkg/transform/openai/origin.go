package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// origins are the locations of what the completion has of the response as a whole.
type origins struct {
	responseID, model, createTime origin
	start                         normalize.Location // of the first chunk, where a member that no chunk has is missed
	feedback                      normalize.Location // of the last promptFeedback
}

// origin is where a text stands that chunks repeat. Of several texts it is the first.
type origin struct {
	text      string
	locations normalize.Locations
}

// add adds a chunk.
func (o *origins) add(c *geminiapi.GenerateContentResponse, source normalize.Location) {
	o.responseID.add(c.ResponseID, source)
	o.model.add(c.ModelVersion, source)
	o.createTime.add(c.CreateTime, source)
}

func (o *origin) add(text *string, source normalize.Location) {
	if text == nil || *text == "" || o.text != "" && *text != o.text {
		return
	}
	o.text = *text
	o.locations.Add(source)
}

// reportIdentity adds a report about the id, the model and the time. What is lost is so in every chunk that
// has it; all else is reported once, at the first of them.
func (s *Stream) reportIdentity(report transform.Report) {
	for _, e := range report {
		at := s.origin.createTime.locations.List()
		switch e.Pointer {
		case "/responseId":
			at = s.origin.responseID.locations.List()
		case "/modelVersion":
			at = s.origin.model.locations.List()
		}
		if len(at) == 0 {
			at = []normalize.Location{s.origin.start}
		}
		if e.Kind != transform.Lost {
			at = at[:1]
		}
		for _, source := range at {
			s.source.AddEntry(e.Kind, source, e.Pointer, e.Detail)
		}
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
