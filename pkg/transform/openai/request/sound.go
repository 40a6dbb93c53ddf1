package request

import "github.com/gemwire/gemwire/internal/media"

// spoken is the sound of an answer, whose pieces follow each other.
type spoken struct {
	data, mimeType string
	size           int // in bytes
	taken          int // of them
}

// next takes the next bytes of the sound, all that are left where there is no length.
func (s *spoken) next(length *int) string {
	from, to := s.taken, s.size
	if length != nil {
		to = from + *length
	}
	s.taken = to
	if from == 0 && to == s.size {
		return s.data
	}
	return media.CutBase64(s.data, from, to)
}

// soundSize returns how many bytes a sound has. Data that is not written as the standard has it counts as
// one, which nothing can be cut off.
func soundSize(data string) int {
	if length, ok := media.Base64Length(data); ok {
		return length
	}
	return 1
}
