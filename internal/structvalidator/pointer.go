package structvalidator

import "strings"

// pointer converts a path of package validator, such as
// candidates[0].content_blocks[1].tool_call.name, to a JSON pointer.
func pointer(path string) string {
	var b strings.Builder
	for path = strings.TrimSuffix(path, "."); path != ""; {
		var token string
		token, path = nextToken(path)
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(token))
	}
	return b.String()
}

// pointerEscapes has the escapes of RFC 6901.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// nextToken cuts a member's name, an index or a map's key off the front of the path. A key may
// contain any character. So it ends only if the path continues after its bracket, or ends. A key
// that contains "]." or "][" is cut in two.
func nextToken(path string) (token, rest string) {
	if path[0] != '[' {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return path, ""
		}
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	for end := 1; end < len(path); end++ {
		if path[end] != ']' {
			continue
		}
		if rest := path[end+1:]; rest == "" || rest[0] == '.' || rest[0] == '[' {
			return path[1:end], strings.TrimPrefix(rest, ".")
		}
	}
	return path[1:], ""
}
