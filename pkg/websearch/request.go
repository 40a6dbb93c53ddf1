package websearch

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Request is what to search for. Its bounds are those of [Schema]; [Client.Search] checks them.
type Request struct {
	// Query is the text to search for, of at least 2 characters.
	Query string `json:"query"`
	// Num is how many results to return, 1 to 10; nil is 10.
	Num *int `json:"num,omitzero"`
	// Start is the index of the first result, 1 to 91; nil is 1. The second page of ten starts at
	// 11.
	Start *int `json:"start,omitzero"`
	// AllowedDomains are the only domains to search in. With none, the whole web is searched.
	AllowedDomains []string `json:"allowed_domains,omitzero"`
	// BlockedDomains are hosts whose pages are left out.
	BlockedDomains []string `json:"blocked_domains,omitzero"`
}

// ReadRequest reads r to its end and parses what it held like [ParseRequest]. An error of r is
// wrapped together with [ErrMalformed].
func ReadRequest(r io.Reader) (Request, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Request{}, &Error{
			Code:    CodeInvalidInput,
			Message: "Invalid input: it cannot be read to its end",
			cause:   errors.Join(ErrMalformed, err),
		}
	}
	return ParseRequest(data)
}

// ParseRequest reads a request in the form of [Schema], the input of the command and the arguments
// of a model's call. Members that the schema does not have are ignored.
//
// num and start count when they are whole numbers, also when written as 5.0, and otherwise are
// absent. Lists of domains count when they are lists; an element that is no string becomes a blank
// domain. Of a member that is there twice the last one counts.
//
// Every error is an *[Error] with [CodeInvalidInput]. It wraps [ErrMalformed] when data is no
// request at all: not JSON, not an object, or without a query that is a string.
func ParseRequest(data []byte) (Request, error) {
	root, err := parseRequestJSON(data)
	if err != nil {
		return Request{}, err
	}
	query, ok := text(member(root, "query"))
	if !ok {
		return Request{}, malformed("Invalid query: a string is required")
	}
	request := Request{
		Query:          query,
		AllowedDomains: domains(member(root, "allowed_domains")),
		BlockedDomains: domains(member(root, "blocked_domains")),
	}
	properties := function.Parameters.Properties
	if request.Num, err = properties.Num.parse("num", member(root, "num")); err != nil {
		return Request{}, err
	}
	if request.Start, err = properties.Start.parse("start", member(root, "start")); err != nil {
		return Request{}, err
	}
	return request, nil
}

func parseRequestJSON(data []byte) (jsontext.Value, error) {
	if len(data) == 0 {
		return nil, malformed("Invalid input: it is empty, a JSON object with a query is required")
	}
	root := jsontext.Value(withoutByteOrderMark(data))
	if !root.IsValid(jsontext.AllowDuplicateNames(true)) {
		return nil, malformed("Invalid input: it is not JSON, a JSON object with a query is required")
	}
	return root, nil
}

// domains returns the elements of a list, blank for those that are no strings: they are counted
// when results are shared out.
func domains(list jsontext.Value) []string {
	var out []string
	for _, element := range elements(list) {
		domain, _ := text(element)
		out = append(out, domain)
	}
	return out
}

// parse returns the whole number in value, or nil when there is none. What does not fit an int is
// out of range already here, where its digits are still known.
func (s integerSchema) parse(field string, value jsontext.Value) (*int, error) {
	if value.Kind() != '0' {
		return nil, nil
	}
	if n, err := strconv.Atoi(string(value)); err == nil {
		return &n, s.check(field, &n)
	}
	f, _ := strconv.ParseFloat(string(value), 64) // infinite when too large
	switch {
	case f != math.Trunc(f):
		return nil, nil
	case f < float64(s.Minimum) || f > float64(s.Maximum):
		return nil, s.outOfRange(field, string(value))
	default:
		return new(int(f)), nil
	}
}

// validate checks the bounds of the schema, before anything is asked of Google.
func (r Request) validate() error {
	properties := function.Parameters.Properties
	if err := properties.Query.check("query", r.Query); err != nil {
		return err
	}
	if err := properties.Num.check("num", r.Num); err != nil {
		return err
	}
	return properties.Start.check("start", r.Start)
}

func (s textSchema) check(field, value string) error {
	if utf8.RuneCountInString(value) >= s.MinLength {
		return nil
	}
	return invalid(fmt.Sprintf("Invalid %s: %q is outside the range of %d or more characters",
		field, value, s.MinLength))
}

func (s integerSchema) check(field string, value *int) error {
	if value == nil || *value >= s.Minimum && *value <= s.Maximum {
		return nil
	}
	return s.outOfRange(field, strconv.Itoa(*value))
}

func (s integerSchema) outOfRange(field, value string) error {
	const shown = 24 // more digits than an int has
	if len(value) > shown {
		value = value[:shown] + "..."
	}
	return invalid(fmt.Sprintf("Invalid %s: %s is outside the range %d to %d", field, value,
		s.Minimum, s.Maximum))
}
