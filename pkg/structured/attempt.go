package structured

import (
	"slices"
	"strings"
)

// attempt is the reading of a text as one JSON value, from a given byte on, a byte at a time. It
// follows the grammar of RFC 8259 without building anything, so that it knows at every byte whether
// what it read can still become a value, and what is open.
type attempt struct {
	start  int
	state  state
	open   []bracket // outermost first
	closed bracket   // the one that was closed last
	token  int       // where the string, number or word begins that is being read
	isName bool      // the string is the name of a member
	word   string    // what has to follow of true, false or null
	digits int       // how many hexadecimal digits have to follow

	// tokens counts the names, the scalars and the inner brackets that were read.
	tokens int
	// kept is the end of what stands when the text stops here: after the last complete value, or
	// after a bracket that opens.
	kept int
	// over is set by the owner when the attempt has no future.
	over bool
}

// bracket is an object or a list that is being read: four times the place where it begins, and flags. A
// text of nothing but brackets has as many of them as bytes.
type bracket int

const (
	isObject bracket = 1 << iota
	isSeparated
	placeUnit
)

func newBracket(start int, object bool) bracket {
	b := bracket(start) * placeUnit
	if object {
		b |= isObject
	}
	return b
}

func (b bracket) start() int   { return int(b / placeUnit) }
func (b bracket) object() bool { return b&isObject != 0 }

// separated tells that there was a colon or a comma, which a bracket in prose does not have.
func (b bracket) separated() bool { return b&isSeparated != 0 }

// state is what an attempt takes next, or is in the middle of.
type state uint8

const (
	wantValue state = iota
	wantValueOrEnd
	wantName
	wantNameOrEnd
	wantColon
	wantCommaOrEnd
	wantNothing
	inString
	inEscape
	inHex
	inWord
	afterMinus
	afterZero
	inInteger
	afterPoint
	inFraction
	afterE
	afterSign
	inExponent
)

// event is what a byte brought about.
type event uint8

const (
	nothing event = iota
	opens         // it opens an object or a list
	closes        // it closes the object or list that is in closed
	fails         // it cannot stand here; the state stays as it was
)

// begin starts the attempt at the value that begins at start, and reuses the memory of an old one.
func (a *attempt) begin(start int) {
	*a = attempt{start: start, kept: start, open: a.open[:0]}
}

// step reads the byte at the given place. After it failed, the attempt must not be used.
func (a *attempt) step(at int, c byte) event {
	switch a.state {
	case inString:
		return a.stringByte(at, c)
	case inEscape:
		return a.escape(c)
	case inHex:
		return a.hex(c)
	case inWord:
		return a.letter(at, c)
	case afterMinus, afterZero, inInteger, afterPoint, inFraction, afterE, afterSign, inExponent:
		return a.number(at, c)
	default:
		return a.structure(at, c)
	}
}

// pass goes on to the next state where the grammar allows it.
func (a *attempt) pass(allowed bool, next state) event {
	if !allowed {
		return fails
	}
	a.state = next
	return nothing
}

// structure reads a byte that is not inside a string, number or word.
func (a *attempt) structure(at int, c byte) event {
	switch c {
	case ' ', '\t', '\n', '\r':
		return nothing
	case ':':
		return a.separate(a.state == wantColon, wantValue)
	case ',':
		return a.comma()
	case '{', '[':
		return a.openBracket(at, c == '{')
	case '}', ']':
		return a.closeBracket(at, c == '}')
	case '"':
		a.isName = a.state == wantName || a.state == wantNameOrEnd
		a.token = at
		return a.pass(a.isName || a.wantsValue(), inString)
	default:
		return a.scalar(at, c)
	}
}

func (a *attempt) wantsValue() bool { return a.state == wantValue || a.state == wantValueOrEnd }

func (a *attempt) comma() event {
	next := wantValue
	if a.inObject() {
		next = wantName
	}
	return a.separate(a.state == wantCommaOrEnd, next)
}

// separate goes on behind a colon or a comma.
func (a *attempt) separate(allowed bool, next state) event {
	if allowed {
		a.open[len(a.open)-1] |= isSeparated
	}
	return a.pass(allowed, next)
}

// inObject reports whether the innermost open bracket is an object.
func (a *attempt) inObject() bool { return len(a.open) > 0 && a.open[len(a.open)-1].object() }

func (a *attempt) openBracket(at int, object bool) event {
	if !a.wantsValue() {
		return fails
	}
	if len(a.open) > 0 {
		a.tokens++
	}
	a.open = append(double(a.open), newBracket(at, object))
	a.kept = at + 1
	a.state = wantValueOrEnd
	if object {
		a.state = wantNameOrEnd
	}
	return opens
}

func (a *attempt) closeBracket(at int, object bool) event {
	mayEnd := a.state == wantCommaOrEnd || a.state == wantValueOrEnd || a.state == wantNameOrEnd
	if !mayEnd || a.inObject() != object {
		return fails
	}
	last := len(a.open) - 1
	a.closed, a.open = a.open[last], a.open[:last]
	a.endValue(at + 1)
	return closes
}

// endValue goes on after a value.
func (a *attempt) endValue(end int) {
	a.tokens++
	a.kept = end
	a.state = wantCommaOrEnd
	if len(a.open) == 0 {
		a.state = wantNothing
	}
}

func (a *attempt) stringByte(at int, c byte) event {
	switch {
	case c == '\\':
		a.state = inEscape
	case c < ' ':
		return fails
	case c != '"':
		// The string goes on.
	case a.isName:
		a.tokens++
		a.state = wantColon
	default:
		a.endValue(at + 1)
	}
	return nothing
}

func (a *attempt) escape(c byte) event {
	if c == 'u' {
		a.digits = 4
		return a.pass(true, inHex)
	}
	return a.pass(strings.IndexByte(`"\/bfnrt`, c) >= 0, inString)
}

func (a *attempt) hex(c byte) event {
	isHex := isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	if a.digits--; a.digits > 0 {
		return a.pass(isHex, inHex)
	}
	return a.pass(isHex, inString)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// words are the literals of JSON by their first letters.
var words = map[byte]string{'t': "true", 'f': "false", 'n': "null"}

// scalar reads the first byte of a number or a word.
func (a *attempt) scalar(at int, c byte) event {
	a.token = at
	next := inWord
	switch {
	case c == '-':
		next = afterMinus
	case c == '0':
		next = afterZero
	case isDigit(c):
		next = inInteger
	default:
		word, known := words[c]
		if !known {
			return fails
		}
		a.word = word[1:]
	}
	return a.pass(a.wantsValue(), next)
}

func (a *attempt) letter(at int, c byte) event {
	if c != a.word[0] {
		return fails
	}
	if a.word = a.word[1:]; a.word == "" {
		a.endValue(at + 1)
	}
	return nothing
}

// number reads a byte of a number, or the first one after it.
func (a *attempt) number(at int, c byte) event {
	if next, ok := nextInNumber(a.state, c); ok {
		return a.pass(true, next)
	}
	if !mayEndNumber[a.state] {
		return fails
	}
	a.endValue(at)
	return a.structure(at, c)
}

var mayEndNumber = [...]bool{afterZero: true, inInteger: true, inFraction: true, inExponent: true}

// afterDigit is what a digit leads to. Behind a 0 in front there can be none.
var afterDigit = [...]state{
	afterMinus: inInteger,
	inInteger:  inInteger,
	afterPoint: inFraction,
	inFraction: inFraction,
	afterE:     inExponent,
	afterSign:  inExponent,
	inExponent: inExponent,
}

func nextInNumber(s state, c byte) (next state, ok bool) {
	switch {
	case c == '0' && s == afterMinus:
		return afterZero, true
	case isDigit(c):
		return afterDigit[s], s != afterZero
	case c == '.':
		return afterPoint, s == afterZero || s == inInteger
	case c == 'e' || c == 'E':
		return afterE, s == afterZero || s == inInteger || s == inFraction
	case c == '+' || c == '-':
		return afterSign, s == afterE
	default:
		return s, false
	}
}

// double makes room in a full slice for as much again. Append alone makes large slices grow in small
// steps, and would copy a long one many times over.
func double[S ~[]E, E any](s S) S {
	if len(s) == cap(s) {
		return slices.Grow(s, max(len(s), 8))
	}
	return s
}
