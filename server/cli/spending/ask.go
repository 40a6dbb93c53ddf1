package spending

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/gateway"
)

// adminKeyVariable is the environment variable with the key of an administrator.
const adminKeyVariable = "GEMWIRE_ADMIN_KEY"

// maxReport is the largest accepted answer of a gateway.
const maxReport = 256 << 20

// ask asks a running gateway.
func ask(ctx context.Context, base, since, until string) (*gateway.UsageReport, error) {
	base = strings.TrimSuffix(strings.TrimSuffix(base, "/"), "/v1")
	query := url.Values{"from": {since}, "until": {until}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		base+"/v1/organization/usage/rows?"+query.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	if key := strings.TrimSpace(os.Getenv(adminKeyVariable)); key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the path
		}
		return nil, fmt.Errorf("no gateway answers at %s; start it, or correct --url: %w", base, err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(io.LimitReader(reply.Body, maxReport))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: HTTP %d: %s", base, reply.StatusCode,
			message.Escape(reasonIn(body)))
	}
	report := &gateway.UsageReport{}
	if err := json.Unmarshal(body, report); err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	return report, nil
}

// reasonIn returns the message of an error body.
func reasonIn(body []byte) string {
	var answer struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Error.Message == "" {
		return string(body[:min(len(body), 200)])
	}
	switch text := answer.Error.Message; {
	case strings.Contains(text, "admin"), strings.Contains(text, "API key"):
		return text + " (set " + adminKeyVariable + ")"
	default:
		return text
	}
}
