package reverse

import (
	"strings"
)

// openCall is a call that is not complete.
type openCall struct {
	index     int
	ordinal   int // among the calls with this index
	id, name  string
	arguments []byte
	scan      objectScan // of the arguments
	signature *string
	isCustom  bool // The arguments are the text of a custom call.

	// last is the last piece of the arguments. isRepeated is true if each piece repeats all earlier
	// ones.
	last       string
	isRepeated bool

	at      string // the pointer of its first piece, if that names no function
	begunAt string // the pointer of its first piece
}

// isComplete reports whether the call has a name and all its arguments.
func (c *openCall) isComplete() bool { return c.name != "" && c.hasArguments() }

// hasArguments reports whether the arguments so far are a complete object.
func (c *openCall) hasArguments() bool { return !c.isCustom && c.scan.isComplete() }

// These are details about arguments that follow complete arguments.
const (
	detailReplaced = "used in place of an empty object"
	detailRepeated = "the call already has these arguments"
)

// add adds a piece to a call. detail is "" unless the piece follows complete arguments that it
// repeats or replaces. Some servers start with an empty object, and vLLM ends with all arguments
// again.
func (c *openCall) add(id, name, arguments string) (detail string) {
	if c.id == "" {
		c.id = id
	}
	if name != c.name { // some servers repeat it in every piece
		c.name += name
	}
	if c.hasArguments() {
		switch piece := strings.Trim(arguments, jsonSpace); {
		case piece == "":
			return ""
		case piece == strings.Trim(string(c.arguments), jsonSpace):
			return detailRepeated
		case string(c.arguments) == "{}":
			c.arguments, c.scan, c.last = nil, objectScan{}, ""
			detail = detailReplaced
		}
	}
	if arguments != "" {
		c.isRepeated = c.last == "" || c.isRepeated && strings.HasPrefix(arguments, c.last)
		c.last = arguments
	}
	c.arguments = append(c.arguments, arguments...)
	c.scan.read(arguments)
	return detail
}

// all returns the arguments of a call. If the server repeats them in each piece, it returns the
// last piece.
func (c *openCall) all() string {
	text := string(c.arguments)
	if _, ok := argumentsOf(text); !ok && c.isRepeated && strings.HasPrefix(c.last, "{") {
		return c.last
	}
	return text
}

// objectScan scans the text of a JSON object to detect its end. It reads each byte once, however
// many pieces there are.
type objectScan struct {
	depth               int
	hasBegun, hasEnded  bool
	isBroken            bool // It is not an object, or something follows it.
	inString, isEscaped bool
}

// isComplete reports whether the text so far is one complete object and nothing else.
func (s *objectScan) isComplete() bool { return s.hasEnded && !s.isBroken }

// read reads the next piece.
func (s *objectScan) read(piece string) {
	for i := 0; i < len(piece) && !s.isBroken; i++ {
		switch c := piece[i]; {
		case s.isEscaped:
			s.isEscaped = false
		case s.inString:
			s.isEscaped, s.inString = c == '\\', c != '"'
		case s.hasEnded || !s.hasBegun && c != '{':
			s.isBroken = strings.IndexByte(jsonSpace, c) < 0
		default:
			s.outside(c)
		}
	}
}

// outside reads a byte of the object that is not in a string.
func (s *objectScan) outside(c byte) {
	switch c {
	case '"':
		s.inString = true
	case '{', '[':
		s.depth++
		s.hasBegun = true
	case '}', ']':
		s.depth--
		s.hasEnded = s.depth == 0
	}
}
