package record

// Encode and Decode write and read every record.
func Encode[T any](value *T) ([]byte, error) { return encode(value) }
func Decode[T any](kept []byte) (*T, error)  { return decode[T]("key", kept) }
