package redact

import "iter"

// scanner finds texts within a longer text, in any letter case. It is the algorithm of Wu and
// Manber, with blocks of two bytes: the last block of the window says how far the next occurrence
// is away at least. So it reads few bytes of a text in which it finds nothing, however many texts
// it looks for.
type scanner struct {
	texts  []string // in lower case
	window int      // the length of the shortest
	// shift is how far the window may move, by the hash of its last block.
	shift [blocks]uint8
}

// blocks is the number of hashes of blocks.
const blocks = 1 << 12

// blockHash returns the hash of two bytes, which is the same for both letter cases.
func blockHash(first, second byte) int {
	return (int(folded[first])<<5 ^ int(folded[second])) % blocks
}

// folded has ASCII letters in lower case.
var folded = func() (out [256]byte) {
	for i := range out {
		out[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			out[i] += 'a' - 'A'
		}
	}
	return out
}()

// newScanner returns a scanner for texts, which have at least two bytes.
func newScanner(texts []string) scanner {
	s := scanner{}
	for _, text := range texts {
		s.texts = append(s.texts, lower(text))
		if s.window == 0 || len(text) < s.window {
			s.window = len(text)
		}
	}
	const largest = 255
	s.window = min(s.window, largest)
	for i := range s.shift {
		s.shift[i] = uint8(max(0, s.window-1))
	}
	for _, text := range s.texts {
		for at := 2; at <= s.window; at++ {
			hash := blockHash(text[at-2], text[at-1])
			s.shift[hash] = min(s.shift[hash], uint8(s.window-at))
		}
	}
	return s
}

// all iterates over the occurrences of all texts, sorted by their start.
func (s *scanner) all(text string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		if len(s.texts) == 0 {
			return
		}
		for end := s.window; end <= len(text); {
			if shift := s.shift[blockHash(text[end-2], text[end-1])]; shift > 0 {
				end += int(shift)
				continue
			}
			begin := end - s.window
			for _, want := range s.texts {
				if hasFolded(text[begin:], want) && !yield(Span{begin, begin + len(want)}) {
					return
				}
			}
			end++
		}
	}
}

// hasFolded reports whether a text begins with a text in lower case, in any letter case.
func hasFolded(text, want string) bool {
	if len(text) < len(want) {
		return false
	}
	for i := range len(want) {
		if folded[text[i]] != want[i] {
			return false
		}
	}
	return true
}

// lower converts ASCII letters to lower case. Unlike strings.ToLower it keeps offsets.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		out[i] = folded[c]
	}
	return string(out)
}
