package native

import (
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Parameters that every path has, and parameters of uploads. [formats] has the values of the first
// group.
var (
	commonParameters = []string{"alt", "$alt"}
	uploadParameters = []string{"upload_id", "upload_protocol", "uploadType"}
)

// formats are the values of the parameters that select the format of an answer. Google's generated
// clients ask for numbers instead of enum names with $alt. It is read-only.
var formats = map[string][]string{
	"alt":  {"json", "sse", "media"},
	"$alt": {"json", "json;enum-encoding=int"},
}

// parameters are the names of the other parameters by the kind of resource. "" stands for every
// kind that is not listed. The gateway does not pass on any other parameter: Google's parameters
// for every API change the form of the answer, contain a credential, or select the quota to use. It
// is read-only.
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

// ParameterError reports a query parameter that is not passed on.
type ParameterError struct {
	// Name is the parameter's name.
	Name string
	// Reason says why it is wrong.
	Reason string
}

// Error returns the parameter and the reason.
func (e *ParameterError) Error() string { return e.Name + ": " + e.Reason }

// ErrQuery reports a query that servers could parse in different ways.
var ErrQuery = errors.New("the query has a semicolon or an incomplete escape")

// Query returns the part of a query that is passed on, in canonical form. It leaves out the key,
// which is for the gateway. The error is [ErrQuery], or a *[ParameterError] for a parameter that
// the operation does not have.
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

// checkParameter returns an error if a parameter is not passed on.
func (op Operation) checkParameter(name string, values []string) error {
	allowed := op.parameters()
	allowedValues := formats[name]
	switch {
	case !slices.Contains(allowed, name) && !slices.Contains(allowed, camelCase(name)):
		return &ParameterError{name,
			"this gateway does not forward this parameter; it forwards " +
				strings.Join(allowed, ", ")}
	case len(values) > 1:
		return &ParameterError{name, "must occur only once"}
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

// camelCase converts a name with underscores, which Google's APIs accept too.
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
