package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeFile decodes the description of a file, like [DecodeResponse].
func DecodeFile(data []byte) (*openaiapi.File, error) {
	return codec.Decode[openaiapi.File](payloadFile, data)
}

// EncodeFile encodes the description of a file. It returns the same errors as [EncodeResponse].
func EncodeFile(f *openaiapi.File) ([]byte, error) { return codec.Encode(payloadFile, f) }

// EncodeFiles encodes a page of files. It returns the same errors as [EncodeResponse].
func EncodeFiles(page *openaiapi.ListFilesResponse) ([]byte, error) {
	return codec.Encode(payloadFiles, page)
}

// EncodeDeletedFile encodes the answer to the deletion of a file. It returns the same errors as
// [EncodeResponse].
func EncodeDeletedFile(deleted *openaiapi.DeletedFile) ([]byte, error) {
	return codec.Encode(payloadDeletedFile, deleted)
}
