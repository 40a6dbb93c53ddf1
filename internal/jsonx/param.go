package jsonx

import "strings"

// unescape replaces the escapes in a pointer's tokens.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// ParamOf converts a pointer to the name of a member in OpenAI's errors, such as "messages[0].role"
// for "/messages/0/role". It returns "" for the whole document.
func ParamOf(pointer string) string {
	var out strings.Builder
	for _, token := range strings.Split(pointer, "/")[1:] {
		if isIndex(token) {
			out.WriteString("[" + token + "]")
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('.')
		}
		_, _ = unescape.WriteString(&out, token) // a Builder never fails
	}
	return out.String()
}

// isIndex reports whether a token is the index of a list element.
func isIndex(token string) bool {
	return token != "" && strings.Trim(token, "0123456789") == ""
}
