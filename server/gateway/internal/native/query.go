package native

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// The names of parameters that every path has, and those of uploads. The values of the former are
// in [formats].
var (
	commonParameters = []string{"alt", "$alt"}
	uploadParameters = []string{"upload_id", "upload_protocol", "uploadType"}
)

// formats are the values of the parameters that choose the form of an answer. Generated clients of
// Google's ask for numbers in place of names of enumerations by $alt. It is never written to.
var formats = map[string][]string{
	"alt":  {"json", "sse", "media"},
	"$alt": {"json", "json;enum-encoding=int"},
}

// parameters are the names of the other parameters, by the kind of resource; "" stands for every
// kind that is not listed. All others are not passed on: Google's parameters for every API change
// the form of the answer, have a credential or name whose quota is used. It is never written to.
var parameters = map[string][]string{
	"models": {"pageSize", "pageToken", "filter", "returnPartialSuccess", "orderBy", "readMask",
		"view", "listAllVersions"},
	"tunedModels": {
		"pageSize", "pageToken", "filter", "returnPartialSuccess", "updateMask", "tunedModelId",
	},
	"files":            {"pageSize", "pageToken"},
	"generatedFiles":   {"pageSize", "pageToken"},
	"cachedContents":   {"pageSize", "pageToken", "updateMask"},
	"batches":          {"pageSize", "pageToken", "filter", "returnPartialSuccess", "updateMask"},
	"operations":       {"pageSize", "pageToken", "filter", "returnPartialSuccess"},
	"fileSearchStores": {"pageSize", "pageToken", "force"},
	"interactions":     {"includeInput", "stream", "lastEventId"},
	"": {"pageSize", "pageToken", "filter", "orderBy", "readMask", "updateMask",
		"view", "force"},
}

// A ParameterError reports a parameter of a query that is not passed on.
type ParameterError struct {
	// Name is that of the parameter.
	Name string
	// Reason is what is wrong with it.
	Reason string
}

// Error names the parameter and the reason.
func (e *ParameterError) Error() string { return e.Name + ": " + e.Reason }

// ErrQuery reports a query that servers could read in different ways.
var ErrQuery = errors.New("the query has a semicolon or an escape that is not complete")

// Query returns the part of a query that is passed on, written in one way only. The key is left
// out, which is the gateway's business. The error is [ErrQuery], or a *[ParameterError] for a
// parameter that is not among those of the operation.
func (op Operation) Query(raw string) (string, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return "", ErrQuery
	}
	values.Del("key")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := op.checkParameter(name, values[name]); err != nil {
			return "", err
		}
	}
	return values.Encode(), nil
}

// checkParameter returns why a parameter is not passed on.
func (op Operation) checkParameter(name string, values []string) error {
	allowed := op.parameters()
	allowedValues := formats[name]
	switch {
	case !slices.Contains(allowed, name) && !slices.Contains(allowed, camelCase(name)):
		return &ParameterError{name,
			"this gateway does not pass this parameter on; it passes " +
				strings.Join(allowed, ", ")}
	case len(values) > 1:
		return &ParameterError{name, "is there more than once"}
	case allowedValues != nil && !slices.Contains(allowedValues, values[0]):
		return &ParameterError{name, "must be one of " + strings.Join(allowedValues, ", ")}
	default:
		return nil
	}
}

// parameters returns the names of the parameters that the operation has.
func (op Operation) parameters() []string {
	kind, _ := op.Resource()
	own, isListed := parameters[kind]
	if !isListed {
		own = parameters[""]
	}
	out := slices.Concat(commonParameters, own)
	if op.Version == "upload" {
		out = append(out, uploadParameters...)
	}
	return out
}

// camelCase returns the name that Google's APIs have for one with underscores, which they take too.
func camelCase(name string) string {
	var out strings.Builder
	for i, word := range strings.Split(name, "_") {
		if i > 0 && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		out.WriteString(word)
	}
	return out.String()
}
