package gemini

import "github.com/gemwire/gemwire/gen/geminiapi"

// canonicalStatus is one of the error codes of google.rpc.
type canonicalStatus struct {
	status geminiapi.ErrorStatus
	code   int // google.rpc.Code
	http   int // the HTTP status that Google's services answer with
}

// canonicalStatuses holds every error code; the source is google/rpc/code.proto.
var canonicalStatuses = []canonicalStatus{
	{geminiapi.ErrorStatusCancelled, 1, 499},
	{geminiapi.ErrorStatusUnknown, 2, 500},
	{geminiapi.ErrorStatusInvalidArgument, 3, 400},
	{geminiapi.ErrorStatusDeadlineExceeded, 4, 504},
	{geminiapi.ErrorStatusNotFound, 5, 404},
	{geminiapi.ErrorStatusAlreadyExists, 6, 409},
	{geminiapi.ErrorStatusPermissionDenied, 7, 403},
	{geminiapi.ErrorStatusResourceExhausted, 8, 429},
	{geminiapi.ErrorStatusFailedPrecondition, 9, 400},
	{geminiapi.ErrorStatusAborted, 10, 409},
	{geminiapi.ErrorStatusOutOfRange, 11, 400},
	{geminiapi.ErrorStatusUnimplemented, 12, 501},
	{geminiapi.ErrorStatusInternal, 13, 500},
	{geminiapi.ErrorStatusUnavailable, 14, 503},
	{geminiapi.ErrorStatusDataLoss, 15, 500},
	{geminiapi.ErrorStatusUnauthenticated, 16, 401},
}

// canonicalByStatus returns the entry of a status, zero when there is none.
func canonicalByStatus(status geminiapi.ErrorStatus) canonicalStatus {
	for _, c := range canonicalStatuses {
		if c.status == status {
			return c
		}
	}
	return canonicalStatus{}
}

// canonicalByCode returns the entry of a code of google.rpc, zero when there is none.
func canonicalByCode(code int) canonicalStatus {
	for _, c := range canonicalStatuses {
		if c.code == code {
			return c
		}
	}
	return canonicalStatus{}
}
