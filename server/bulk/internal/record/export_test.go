package record

// Encode and Decode are what every record is written and read by.
func Encode[T any](value *T) ([]byte, error) { return encode(value) }
func Decode[T any](kept []byte) (*T, error)  { return decode[T]("key", kept) }
