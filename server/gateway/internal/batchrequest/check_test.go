package batchrequest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/server/gateway/internal/batchrequest"
	"github.com/go-json-experiment/json"
)

// entries returns n members of metadata.
func entries(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`"n%d":""`, i))
	}
	return `"metadata":{` + strings.Join(all, ",") + `}`
}

func expiry(anchor string, seconds int) string {
	return fmt.Sprintf(`"output_expires_after":{"anchor":%q,"seconds":%d}`, anchor, seconds)
}

func entry(name, text int) string {
	return fmt.Sprintf(`"metadata":{%q:%q}`, strings.Repeat("é", name), strings.Repeat("é", text))
}

// The bounds are OpenAI's: https://platform.openai.com/docs/api-reference/batch/create
func TestARequestForABatchObeysOpenAIsBounds(t *testing.T) {
	t.Parallel()
	const usual = `"input_file_id":"f","endpoint":"/v1/responses","completion_window":"24h"`
	for members, param := range map[string]string{
		usual: "",
		`"endpoint":"/v1/responses","completion_window":"24h"`:                            "/input_file_id",
		`"input_file_id":"f","completion_window":"24h"`:                                   "/endpoint",
		`"input_file_id":"f","endpoint":"/v1/images","completion_window":"24h"`:           "/endpoint",
		`"input_file_id":"f","endpoint":"/v1/messages"`:                                   "/completion_window",
		`"input_file_id":"f","endpoint":"/v1/embeddings","completion_window":"1h"`:        "/completion_window",
		`"input_file_id":"f","endpoint":"/v1/chat/completions","completion_window":"24h"`: "",
		usual + `,"stray":null`:                       "",
		usual + `,"stray":1`:                          "/stray",
		usual + "," + expiry("created_at", 3600):      "",
		usual + "," + expiry("created_at", 3599):      "/output_expires_after",
		usual + "," + expiry("created_at", 2_592_000): "",
		usual + "," + expiry("created_at", 2_592_001): "/output_expires_after",
		usual + "," + expiry("last_active_at", 3600):  "/output_expires_after",
		usual + "," + entries(16):                     "",
		usual + "," + entries(17):                     "/metadata",
		usual + "," + entry(64, 512):                  "",
		usual + "," + entry(65, 512):                  "/metadata/" + strings.Repeat("é", 65),
		usual + "," + entry(64, 513):                  "/metadata/" + strings.Repeat("é", 64),
	} {
		var in openaiapi.CreateBatchRequest
		if err := json.Unmarshal([]byte("{"+members+"}"), &in); err != nil {
			t.Fatal(err)
		}
		p := batchrequest.Check(&in)
		if (p == nil) != (param == "") || p != nil && p.Param != param {
			t.Errorf("%s: %+v, want %q", members, p, param)
		}
	}
}
