package inspector

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
)

// field is a field of a header.
type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// credentialFields are the names of credential headers in lower case. The gateway removes them; the
// inspector does not rely on that.
var credentialFields = []string{
	"authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-api-key", "api-key",
	"x-api-key",
}

// header returns the recorded part of a header, sorted by name.
func (r *retention) header(header http.Header) []field {
	var fields []field
	for name, values := range header {
		if slices.Contains(credentialFields, strings.ToLower(name)) {
			continue
		}
		for _, value := range values {
			fields = append(fields, field{Name: r.value(name), Value: r.value(value)})
		}
	}
	slices.SortFunc(fields, func(a, b field) int {
		return strings.Compare(a.Name+"\x00"+a.Value, b.Name+"\x00"+b.Value)
	})
	return fields[:min(len(fields), maxFields)]
}

// credentialMembers are query parameters that hold a credential, in lower case.
var credentialMembers = []string{"key", "api_key", "apikey", "access_token", "token", "oauth_token"}

// address returns the recorded part of a URL or path, without the credentials in its query.
func (r *retention) address(text string) string {
	path, query, found := strings.Cut(text, "?")
	if !found {
		return r.value(text)
	}
	members := strings.Split(query, "&")
	for i, member := range members {
		name, _, _ := strings.Cut(member, "=")
		if decoded, err := url.QueryUnescape(name); err != nil ||
			slices.Contains(credentialMembers, strings.ToLower(decoded)) {
			members[i] = name + "=" + redact.Mark
		}
	}
	return r.value(path + "?" + strings.Join(members, "&"))
}
