package inspector

import "strings"

// clientName returns the name of the client's key. Without one it returns the program that the
// client says it is, such as "OpenAI/JS", as the list of the page does.
func (r *record) clientName() string {
	if r.start.ClientName != "" {
		return r.start.ClientName
	}
	const most = 40 // as in the list of the page
	program := r.start.UserAgent
	if end := strings.IndexAny(program, " \t("); end >= 0 {
		program = program[:end]
	}
	return strings.ToValidUTF8(program[:min(len(program), most)], "")
}
