package aisdk

import (
	"errors"
	"io"
	"iter"
	"strconv"

	"github.com/gemwire/gemwire/gen/aisdkapi"
)

// ErrTruncated is wrapped by the error of a stream without a finish.
var ErrTruncated = errors.New("aisdk: truncated stream")

// ReadStream reads the parts of one stream, like [ReadParts]. The last part must be the only
// finish.
//
// It returns the same errors as ReadParts, but the pointer of a *[PartError] is into the list of
// all parts, such as "/3/delta". The error for an incomplete stream wraps [ErrTruncated].
func ReadStream(r io.Reader) iter.Seq2[aisdkapi.Part, error] {
	return func(yield func(aisdkapi.Part, error) bool) {
		finished, count := false, 0
		for part, err := range ReadParts(r) {
			if fault, ok := errors.AsType[*PartError](err); ok {
				fault.Pointer = position(count) + fault.Pointer
			} else if finished && err == nil {
				part, err = nil,
					&PartError{Offset: -1, Pointer: position(count),
						Problem: "it comes after finish, which ends the stream"}
			}
			if !yield(part, err) || err != nil {
				return
			}
			_, finished = part.(aisdkapi.Finish)
			count++
		}
		if !finished {
			yield(nil, &PartError{Offset: -1, Pointer: position(count),
				Problem: "the stream is truncated: its last part is not finish", Err: ErrTruncated})
		}
	}
}

// position returns the JSON pointer of the part at an index.
func position(before int) string { return "/" + strconv.Itoa(before) }
