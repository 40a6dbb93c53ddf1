package functions

// Name returns Gemini's name for a tool. Gemini's names begin with a letter or an underscore. The
// names of OpenAI and Anthropic can also begin with a digit or a dash, which then gets an
// underscore before it.
func Name(tool string) string {
	if tool == "" || !isOddStart(tool[0]) {
		return tool
	}
	return "_" + tool
}

func isOddStart(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

// Tool returns the name of the tool that was declared under [Name], for a call in an answer.
// isDeclared reports whether the client declared a tool with exactly that name, which then stays.
func Tool(function string, isDeclared func(name string) bool) string {
	if len(function) < 2 || function[0] != '_' || !isOddStart(function[1]) ||
		isDeclared(function) {
		return function
	}
	return function[1:]
}
