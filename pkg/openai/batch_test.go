package openai_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
)

// Clients of OpenAI's Batch API expect all times of a batch, with null for future ones.
func TestABatchHasAllItsMembersFromTheBeginning(t *testing.T) {
	t.Parallel()
	expires := int64(1_782_086_400)
	got, err := openai.EncodeBatch(&openaiapi.Batch{
		ID: "batch_1", Object: openaiapi.ObjectTypeBatch, Endpoint: "/v1/embeddings",
		InputFileID: "file-1", CompletionWindow: "24h",
		Status: openaiapi.BatchStatusValidating, CreatedAt: 1_782_000_000, ExpiresAt: &expires,
	})
	const want = `{"id":"batch_1","object":"batch","endpoint":"/v1/embeddings","errors":null,"input_file_id":"file-1",` +
		`"completion_window":"24h","status":"validating","output_file_id":null,"error_file_id":null,"created_at":1782000000,` +
		`"in_progress_at":null,"expires_at":1782086400,"finalizing_at":null,"completed_at":null,"failed_at":null,` +
		`"expired_at":null,"cancelling_at":null,"cancelled_at":null,"request_counts":{"total":0,"completed":0,"failed":0},` +
		`"metadata":{}}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
	back, err := openai.DecodeBatch(got)
	if err != nil || back.Status != openaiapi.BatchStatusValidating || *back.ExpiresAt != expires ||
		back.CompletedAt != nil {
		t.Errorf("decoded: %+v, %v", back, err)
	}
}

func TestAPageOfFilesIsAList(t *testing.T) {
	t.Parallel()
	got, err := openai.EncodeFiles(&openaiapi.ListFilesResponse{Object: openaiapi.ObjectTypeList})
	const want = `{"object":"list","data":[],"first_id":null,"last_id":null,"has_more":false}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

func TestARequestForABatchKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	in, err := openai.DecodeBatchRequest(
		[]byte(`{"input_file_id":"file-1","endpoint":"/v1/responses","completion_window":"24h","metadata":null,"colour":"red"}`))
	if err != nil || in.InputFileID != "file-1" || in.Metadata != nil ||
		string(in.Unknown) != `{"colour":"red"}` {
		t.Errorf("decoded: %+v, %v", in, err)
	}
}
