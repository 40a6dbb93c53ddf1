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

// Request describes a search. [Schema] has its bounds; [Client.Search] checks them.
type Request struct {
	// Query is the text to search for, of at least 2 characters.
	Query string `json:"query"`
	// Num is the number of results, 1 to 10 (default 10).
	Num *int `json:"num,omitzero"`
	// Start is the index of the first result, 1 to 91 (default 1). The second page of ten starts at
	// 11.
	Start *int `json:"start,omitzero"`
	// AllowedDomains are the only domains to search in. If empty, the search covers the whole web.
	AllowedDomains []string `json:"allowed_domains,omitzero"`
	// BlockedDomains are hosts whose pages are excluded.
	BlockedDomains []string `json:"blocked_domains,omitzero"`
}

// ReadRequest reads r to its end and parses the bytes like [ParseRequest]. A read error is wrapped
// together with [ErrMalformed].
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

// ParseRequest reads a request in the form of [Schema]: the input of the command, or the arguments
// of a model's call. Unknown members are ignored.
//
// num and start must be whole numbers, which may be written as 5.0; other values count as absent. A
// list of domains must be a list, else it counts as absent; an element that is not a string becomes
// a blank domain. The last of duplicate members wins.
//
// Every error is an *[Error] with [CodeInvalidInput]. It wraps [ErrMalformed] if data is not a
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

// domains returns the elements of a list. Elements that are not strings become blank, because they
// count when results are divided.
func domains(list jsontext.Value) []string {
	var out []string
	for _, element := range elements(list) {
		domain, _ := text(element)
		out = append(out, domain)
	}
	return out
}

// parse returns the whole number in value, or nil for another value. A number that does not fit an
// int is rejected here, while its digits are still known.
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

// validate checks the bounds of the schema before anything is sent to Google.
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
