package response

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/go-json-experiment/json"
)

// compactRequest is a request for a shortened conversation. The answer has another form than a
// response.
type compactRequest struct {
	transform.Request
	turn *Turn
}

// AppendAnswer implements [transform.Request].
func (r compactRequest) AppendAnswer(dst []byte, answer *geminiapi.GenerateContentResponse,
	o *transform.Options) ([]byte, report.Report, error) {
	_, entries, err := r.Request.AppendAnswer(nil, answer, o)
	if err != nil {
		return dst, entries, err
	}
	made := r.turn.whole // which Edit has received
	out := openaiapi.CompactedResponse{ID: made.ID,
		Object: openaiapi.ObjectTypeResponseCompaction, CreatedAt: int64(made.CreatedAt),
		Output: history.Identify(made.Output), Usage: jsonx.Deref(made.Usage)}
	body, err := json.Marshal(&out, jsonx.Canonical)
	if err != nil {
		return dst, entries, fmt.Errorf("response: encode a shortened conversation: %w", err)
	}
	return append(dst, body...), entries, nil
}
