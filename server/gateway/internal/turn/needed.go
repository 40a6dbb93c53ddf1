package turn

// smallBody is the size of a body up to which a stream counts as needing nothing of it.
const smallBody = 64 << 10

// Needed returns how many bytes of a request a stream needs. Size is that of the body, and encode returns the part that is
// needed. An error of encode means that all of the body is.
func Needed(size int, encode func() ([]byte, error)) int64 {
	if size <= smallBody {
		return 0
	}
	part, err := encode()
	if err != nil {
		return int64(size)
	}
	return int64(min(len(part), size))
}
