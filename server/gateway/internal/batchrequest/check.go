// Package batchrequest checks requests that create batches, before their files are read.
package batchrequest

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/go-json-experiment/json/jsontext"
)

// endpoints are the paths that a batch may have requests for. members are the members of a request
// that creates a batch. Both are read-only.
var (
	endpoints = []string{"/v1/chat/completions", "/v1/responses", "/v1/embeddings", "/v1/messages"}
	members   = []string{"completion_window", "endpoint", "input_file_id", "metadata",
		"output_expires_after"}
)

// Limits of metadata, which are OpenAI's, and of how long files are stored.
const (
	mostMetadata        = 16
	longestMetadataName = 64
	longestMetadataText = 512
	completionWindow    = "24h"

	shortestExpiry = 3_600
	longestExpiry  = 2_592_000
)

// Check refuses an invalid request for a batch before its file is read.
func Check(in *openaiapi.CreateBatchRequest) *problem.Problem {
	for name, value := range jsonx.Members(in.Unknown) {
		if value.Kind() != jsontext.KindNull {
			return problem.UnknownMember(name, members)
		}
	}
	switch {
	case in.InputFileID == "":
		return problem.Invalid("missing_required_parameter", "/input_file_id",
			"/input_file_id: is missing")
	case in.Endpoint == "":
		return problem.Invalid("missing_required_parameter", "/endpoint", "/endpoint: is missing")
	case !slices.Contains(endpoints, in.Endpoint):
		return problem.Invalid("invalid_value", "/endpoint",
			"/endpoint: must be one of "+strings.Join(endpoints, ", "))
	case in.CompletionWindow == "":
		return problem.Invalid("missing_required_parameter", "/completion_window",
			"/completion_window: is missing")
	case in.CompletionWindow != completionWindow:
		return problem.Invalid("invalid_value", "/completion_window",
			"/completion_window: must be "+completionWindow)
	}
	if after := in.OutputExpiresAfter; after != nil &&
		(after.Anchor != "created_at" || after.Seconds < shortestExpiry ||
			after.Seconds > longestExpiry) {
		return problem.Invalid("invalid_value", "/output_expires_after",
			"/output_expires_after: must have the anchor created_at and between 3600 and 2592000 seconds")
	}
	return checkMetadata(in.Metadata)
}

func checkMetadata(metadata map[string]string) *problem.Problem {
	if len(metadata) > mostMetadata {
		return problem.Invalid("invalid_value", "/metadata",
			"/metadata: has "+strconv.Itoa(len(metadata))+" names; at most 16 are kept")
	}
	for name, value := range metadata {
		if utf8.RuneCountInString(name) > longestMetadataName ||
			utf8.RuneCountInString(value) > longestMetadataText {
			pointer := jsonx.MemberPointer("/metadata", name)
			return problem.Invalid("invalid_value", pointer,
				pointer+": a name has at most 64 characters, a value 512")
		}
	}
	return nil
}
