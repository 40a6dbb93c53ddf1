package openai

import "encoding/base64"

// spoken is the sound of an answer, whose pieces follow each other.
type spoken struct {
	data, mimeType string
	size           int // in bytes
	taken          int // of them
}

// next takes the next bytes of the sound, all that are left where no length is told.
func (s *spoken) next(length *int) string {
	from, to := s.taken, s.size
	if length != nil {
		to = from + *length
	}
	s.taken = to
	if from == 0 && to == s.size {
		return s.data
	}
	return cutBase64(s.data, from, to)
}

// soundSize returns how many bytes a sound has. Data that is not written as the standard has it counts as
// one, which nothing can be cut off.
func soundSize(data string) int {
	if length, ok := base64Length(data); ok {
		return length
	}
	return 1
}

// cutBase64 returns the base64 of some of the bytes of data, which is written as the standard has it. It
// decodes no more than these bytes, and only where they do not begin and end between digits.
func cutBase64(data string, from, to int) string {
	digits := data[from/3*4 : (to+2)/3*4]
	if from%3 == 0 && to%3 == 0 {
		return digits
	}
	raw, _ := base64.StdEncoding.DecodeString(digits)
	return base64.StdEncoding.EncodeToString(raw[from%3:][:to-from])
}
