package models

import (
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/modelid"
)

//go:generate go run ../../../tools/modeldata generate models.yaml tables.gen.go

// entry is a name in the table. Its traits have dates, oldest first; the first ones apply from the
// beginning.
type entry struct {
	name   string
	ids    []string // under which services list the model
	kind   kind
	calls  Calls
	only   Backends // the only service that has the model, or 0
	traits []datedTraits

	gemini, vertex atService
}

// kind is the kind of an entry.
type kind uint8

const (
	kindModel   kind = iota // a model and its versions
	kindFamily              // every id with this prefix
	kindAlias               // a name whose target Google changes
	kindUnknown             // a name that is not in the table
)

// atService has the facts that differ between the services.
type atService struct {
	life   life
	routes []route
	limits []datedLimits
}

type datedTraits struct {
	from   day
	traits *Traits
}

type datedLimits struct {
	from   day
	limits *Limits
}

func (e *entry) at(service Backends) *atService {
	if service == GeminiAPI {
		return &e.gemini
	}
	return &e.vertex
}

// traitsOn returns the traits on a day. They are shared and must not be changed.
func (e *entry) traitsOn(d day) *Traits {
	last := 0
	for i := range e.traits {
		if e.traits[i].from <= d {
			last = i
		}
	}
	return e.traits[last].traits
}

func (s *atService) limitsOn(d day) Limits {
	var out Limits
	for i := range s.limits {
		if s.limits[i].from <= d {
			out = *s.limits[i].limits
		}
	}
	return out
}

// idOf returns the id in the name of a model.
func idOf(name string) string { return strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]) }

// find returns the entry for an id. It is shared and must not be changed.
func find(id string) *entry {
	found := &unknownModel
	if strings.Contains(id, "gemini") {
		found = &unknownGemini
	}
	longest := 0
	for i := range entries {
		e := &entries[i]
		if len(e.name) <= longest || !strings.HasPrefix(id, e.name) {
			continue
		}
		if modelid.IsVersionOf(id, e.name) ||
			e.kind == kindFamily && modelid.IsOfFamily(id, e.name) {
			found, longest = e, len(e.name)
		}
	}
	return found
}

// day is a day in UTC as yyyymmdd, or 0. Days compare like numbers.
type day int32

func dayOf(when time.Time) day {
	year, month, date := when.UTC().Date()
	return day(year*10000 + int(month)*100 + date)
}

// time returns the beginning of the day, or the zero time.
func (d day) time() time.Time {
	if d == 0 {
		return time.Time{}
	}
	return time.Date(int(d)/10000, time.Month(d/100%100), int(d)%100, 0, 0, 0, 0, time.UTC)
}
