package gemini

// DecodeAnyForm decodes a payload as if there were no generated codec.
func DecodeAnyForm[T any, P wireType[T]](payload string, data []byte) (*T, error) {
	return decodeAnyForm[T, P](payload, data)
}

// EncodeAnything encodes a payload as if there were no generated codec.
func EncodeAnything[T any](payload string, v *T) ([]byte, error) {
	return encodeAnything(payload, v)
}
