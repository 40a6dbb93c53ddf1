package responses

import (
	"bytes"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Sequence checks that the events of a stream are in the order that OpenAI's clients need:
//
//   - response.created comes first, and numbers start from 0 without a gap.
//   - Items come one after the other. Each is begun, continued by events of its type, and ended,
//     with one id and one position. The same holds for parts and their pieces.
//   - Whole texts equal their joined pieces.
//   - There is one terminal event, which has the items again, and nothing after it.
//
// It allows events, items and parts of unknown types. The rules of a violation are
//
//	number     of sequence_number
//	required   of members that an event needs
//	order      of events
//	index      of an item, a part or an annotation
//	id         of an item, and unique for those that must differ
//	type       of what an event continues
//	text       that differs from its pieces
//	item       that changes between its beginning and its end
//	output     of the terminal event, if it differs from the items
//	status     of the terminal event, if it does not fit its type
//	error      if another event has a member of this name
//
// The zero value is ready to use. It is not safe for use by several goroutines.
type Sequence struct {
	events int
	number int // of the next event
	state  sequenceState
	failed bool   // there was an event of type error
	id     string // of the response
	items  []openaiapi.ResponseItem
	ids    map[string]bool // of items
	calls  map[string]bool // of calls, with their types
	open   *openItem       // nil between items
	found  []validation.Violation
}

// sequenceState is the state of a stream.
type sequenceState uint8

const (
	atBegin    sequenceState = iota // before response.created
	inResponse                      // before the terminal event
	afterEnd                        // after it
)

// CheckSequence checks the events of a whole stream, see [Sequence]. The error lists all
// violations; a pointer such as "/3/delta" is into the list of events.
func CheckSequence(events []openaiapi.ResponseEvent) error {
	var s Sequence
	var found []validation.Violation
	for i := range events {
		found = append(found, s.Push(&events[i])...)
	}
	if found = append(found, s.Close()...); found == nil {
		return nil
	}
	return &validation.Error{Prefix: "responses", Violations: found}
}

// Push checks the next event and returns its violations.
func (s *Sequence) Push(e *openaiapi.ResponseEvent) []validation.Violation {
	s.found = nil
	s.checkNumber(e)
	s.want(s.state != afterEnd, "", "order", "must not come after the terminal event")
	for _, name := range required[e.Type] {
		s.want(present[name](e), "/"+name, "required", "must be set")
	}
	if e.Type != openaiapi.ResponseEventTypeError {
		s.want(e.Error == nil, "/error", "error",
			"must not be set, because clients treat such an event as a failure")
	}
	s.checkOrder(e)
	s.events++
	return s.found
}

// checkOrder checks that the event may come at this point of the stream.
func (s *Sequence) checkOrder(e *openaiapi.ResponseEvent) {
	switch e.Type {
	case openaiapi.ResponseEventTypeCreated:
		s.want(s.state == atBegin, "", "order", "must be the first event")
		s.state = max(s.state, inResponse)
		s.checkBegun(e)
	case openaiapi.ResponseEventTypeQueued, openaiapi.ResponseEventTypeInProgress:
		s.want(s.state == inResponse && len(s.items) == 0 && s.open == nil, "", "order",
			"must follow response.created")
		s.checkBegun(e)
	case openaiapi.ResponseEventTypeCompleted, openaiapi.ResponseEventTypeIncomplete,
		openaiapi.ResponseEventTypeFailed:
		s.end(e)
	case openaiapi.ResponseEventTypeError:
		s.failed = true
	case openaiapi.ResponseEventTypeKeepalive:
	default:
		s.want(s.state == inResponse, "", "order",
			"must come between response.created and the terminal event")
		s.want(!s.failed, "", "order", "must not follow an error")
		s.checkItemOrder(e)
	}
}

// Close returns the violations at the end of the stream, which must be a terminal event or an
// error.
func (s *Sequence) Close() []validation.Violation {
	s.found = nil
	s.want(s.state == afterEnd || s.failed, "", "order",
		"must be a terminal event, not the end of the stream")
	return s.found
}

// checkNumber checks that all events are numbered, also keepalive events.
func (s *Sequence) checkNumber(e *openaiapi.ResponseEvent) {
	s.want(e.SequenceNumber == s.number, "/sequence_number", "number",
		"must be "+strconv.Itoa(s.number))
	s.number++
}

// checkBegun checks a response that has no output yet.
func (s *Sequence) checkBegun(e *openaiapi.ResponseEvent) {
	if e.Response == nil {
		return
	}
	s.want(e.Response.ID != "", "/response/id", "required", "must be set")
	s.checkID(e.Response)
	s.want(len(e.Response.Output) == 0, "/response/output", "output", "must be empty")
	s.want(e.Response.Usage == nil, "/response/usage", "output", "must be null")
}

// checkID checks that all events belong to one response.
func (s *Sequence) checkID(r *openaiapi.Response) {
	if s.id == "" {
		s.id = r.ID
	}
	s.want(r.ID == "" || r.ID == s.id, "/response/id", "id",
		"must be "+strconv.Quote(s.id)+", as in earlier events")
}

func (s *Sequence) end(e *openaiapi.ResponseEvent) {
	s.want(s.state == inResponse, "", "order", "must follow response.created, once")
	isFailed := e.Type == openaiapi.ResponseEventTypeFailed
	s.want(s.open == nil || isFailed, "", "order", "must not be within an item")
	s.state = afterEnd
	if e.Response == nil {
		return
	}
	status := terminal[e.Type]
	s.checkID(e.Response)
	s.want(e.Response.Status == status, "/response/status", "status", "must be "+string(status))
	s.want((e.Response.Error != nil) == (status == openaiapi.ResponseStatusFailed),
		"/response/error", "status", "must be set only in failed responses")
	isIncomplete := e.Response.IncompleteDetails != nil && e.Response.IncompleteDetails.Reason != ""
	s.want(isIncomplete == (status == openaiapi.ResponseStatusIncomplete),
		"/response/incomplete_details", "status", "must be set only in incomplete responses")
	s.want(e.Response.Usage != nil || status == openaiapi.ResponseStatusFailed, "/response/usage",
		"required", "must be set")
	s.checkOutput(e.Response.Output, isFailed)
}

// terminal has the status of the response for each type of terminal event. It is never modified.
var terminal = map[openaiapi.ResponseEventType]openaiapi.ResponseStatus{
	openaiapi.ResponseEventTypeCompleted:  openaiapi.ResponseStatusCompleted,
	openaiapi.ResponseEventTypeIncomplete: openaiapi.ResponseStatusIncomplete,
	openaiapi.ResponseEventTypeFailed:     openaiapi.ResponseStatusFailed,
}

// checkOutput compares the output with the items of the stream. A failed response may have more,
// because what a failure cuts off never ends in the stream.
func (s *Sequence) checkOutput(output []openaiapi.ResponseItem, isFailed bool) {
	if len(output) != len(s.items) && !(isFailed && len(output) > len(s.items)) {
		s.report("/response/output", "output",
			"must have "+strconv.Itoa(len(s.items))+" items, as in the stream")
		return
	}
	for i := range s.items {
		s.want(isSameItem(&output[i], &s.items[i]), "/response/output/"+strconv.Itoa(i), "output",
			"must be the item of the stream")
	}
}

// isSameItem reports whether two items are equal, except for what OpenAI's server encrypts again
// each time.
func isSameItem(a, b *openaiapi.ResponseItem) bool {
	first, second := *a, *b
	first.EncryptedContent, second.EncryptedContent = nil, nil
	first.Fingerprint, second.Fingerprint = "", ""
	one, err := EncodeItem(&first)
	other, errOther := EncodeItem(&second)
	return err == nil && errOther == nil && bytes.Equal(one, other)
}

func (s *Sequence) report(member, rule, want string) {
	pointer := "/" + strconv.Itoa(s.events) + member
	s.found = append(s.found, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
}

func (s *Sequence) want(ok bool, member, rule, want string) {
	if !ok {
		s.report(member, rule, want)
	}
}
