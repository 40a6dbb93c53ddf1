package accesslog_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/accesslog"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/ratecard"
)

// logged returns the lines of a request, without their time.
func logged(start exchange.Start, attempts []exchange.Attempt, end exchange.End) string {
	var out bytes.Buffer
	withoutTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	recorder := accesslog.New(logger).Begin(start)
	for _, attempt := range attempts {
		recorder.Attempt(attempt)
	}
	recorder.End(end)
	return out.String()
}

func TestARequestIsALine(t *testing.T) {
	t.Parallel()
	got := logged(
		exchange.Start{
			ID: "req_1", Form: "chat_completions", Method: "POST", Path: "/v1/chat/completions",
			ClientName: "team-a",
			RemoteAddr: "127.0.0.1:5", UserAgent: "OpenAI/JS 6", ClientRetry: 1,
		},
		[]exchange.Attempt{{Account: "p1", Status: 429, Err: "p-error"},
			{Account: "p2", Status: 200}},
		exchange.End{
			Status: 200, Model: "gpt-4o", UpstreamModel: "gemini-x", Service: "gemini",
			Stream: true, Duration: 4 * time.Second,
			FirstToken: time.Second + 250*time.Microsecond + 3,
			Usage: normalize.Usage{InputTokens: 10, OutputTokens: 3, ThinkingTokens: 2,
				CachedTokens: 4, ToolUseTokens: 1}, UsageEstimated: true,
			Cost:         &ratecard.Cost{Amount: 0.5, Currency: "USD", Source: "card"},
			FinishReason: normalize.FinishStop,
			Lost:         1, Approximated: 2, Added: 3, BytesIn: 5, BytesOut: 6,
		})
	want := `level=INFO msg=request id=req_1 form=chat_completions method=POST path=/v1/chat/completions client=team-a remote=127.0.0.1:5 ` +
		`user_agent="OpenAI/JS 6" client_retry=1 model=gpt-4o upstream_model=gemini-x service=gemini account=p2 attempts=2 stream=true status=200 ` +
		`duration_ms=4000 first_token_ms=1000.25 finish_reason=stop bytes_in=5 bytes_out=6 lost=1 approximated=2 added=3 input_tokens=10 cached_tokens=4 ` +
		`tool_use_tokens=1 output_tokens=3 thinking_tokens=2 usage_estimated=true cost=0.5 currency=USD rate=card` +
		"\n"
	if got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

// TestAClientThatLeftIsNoError covers BerriAI/litellm#30223 and similar issues: a log full of
// entries that are not errors.
func TestAClientThatLeftIsNoError(t *testing.T) {
	t.Parallel()
	for level, end := range map[string]exchange.End{
		"level=INFO msg=request id=\"\" form=a ":  {Status: 499, Canceled: true, ErrorType: "t"},
		"level=INFO msg=request id=\"\" form=b ":  {Status: 200, Canceled: true, ErrorType: "t"},
		"level=WARN msg=request id=\"\" form=c ":  {Status: 429, ErrorType: "t"},
		"level=WARN msg=request id=\"\" form=d ":  {Status: 200, ErrorType: "server_error"},
		"level=ERROR msg=request id=\"\" form=e ": {Status: 500, ErrorCode: "c"},
		"level=INFO msg=request id=\"\" form=f ":  {Status: 200},
		"level=INFO msg=request id=\"\" form=g ":  {Status: 499},
		"level=WARN msg=request id=\"\" form=h ":  {Status: 400},
		"level=WARN msg=request id=\"\" form=i ":  {Status: 200, ErrorCode: "c"},
		"level=INFO msg=request id=\"\" form=j ":  {Status: 399},
	} {
		_, form, _ := strings.Cut(strings.TrimSpace(level), "form=")
		if got := logged(exchange.Start{Form: form}, nil, end); !strings.HasPrefix(got, level) {
			t.Errorf("%sfor %+v", got, end)
		}
	}
}

// TestALineIsSmallAndQuotesNothing covers BerriAI/litellm#41499 (6.3 KB for each request) and
// #24902 (keys in errors).
func TestALineIsSmallAndQuotesNothing(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000) + "\xff"
	got := logged(exchange.Start{Method: long, Path: "/" + long, UserAgent: long, ClientName: long},
		[]exchange.Attempt{{Err: "p-error"}},
		exchange.End{Status: 400, Model: long, ErrorType: long, ErrorCode: long,
			FinishReason: normalize.FinishReason(long), ErrorMessage: "p-message"})
	if len(got) > 2000 || strings.Contains(got, "p-") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

func TestATextOfTheClientIsWrittenUpToItsBound(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{200: strings.Repeat("x", 200) + " ",
		201: strings.Repeat("x", 200) + "... "} {
		if got := logged(exchange.Start{}, nil,
			exchange.End{Model: strings.Repeat("x", n)}); !strings.Contains(got, " model="+want) {
			t.Errorf("%d bytes: %s", n, got)
		}
	}
}

func TestALevelThatIsOffCostsNoLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelError}))
	accesslog.New(logger).Begin(exchange.Start{}).End(exchange.End{Status: 200})
	if out.Len() > 0 {
		t.Error(out.String())
	}
}

// TestAKeyThatIsTakenForAModelIsInNoLine covers issues about keys in logs (BerriAI/litellm#24902
// and others).
func TestAKeyThatIsTakenForAModelIsInNoLine(t *testing.T) {
	t.Parallel()
	key := "AIza" + strings.Repeat("k", 35)
	got := logged(exchange.Start{Path: "/v1beta/models/" + key + ":generateContent",
		UserAgent: key}, nil, exchange.End{Status: 404, Model: key, UpstreamModel: "models/" + key})
	if strings.Contains(got, key) || strings.Count(got, "REDACTED") != 4 {
		t.Error(got)
	}
}

func TestTimesSayTheirUnitInJSONToo(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	accesslog.New(slog.New(slog.NewJSONHandler(&out, nil))).Begin(exchange.Start{}).
		End(exchange.End{Status: 200, Duration: 1234567 * time.Microsecond,
			FirstToken: 30 * time.Millisecond})
	if got := out.String(); !strings.Contains(got, `"duration_ms":1234.567,"first_token_ms":30,`) {
		t.Error(got)
	}
}

func TestTheLineHasTheRequestedModelAndTheModelThatAnswered(t *testing.T) {
	t.Parallel()
	for want, end := range map[string]exchange.End{
		" model=gpt-4o upstream_model=b asked_model=a attempts=": {Model: "gpt-4o", AskedModel: "a", UpstreamModel: "b"},
		" model=a upstream_model=b asked_model=a attempts=":      {Model: "a", AskedModel: "a", UpstreamModel: "b"},
		" model=gpt-4o upstream_model=b attempts=":               {Model: "gpt-4o", AskedModel: "b", UpstreamModel: "b"},
		" model=b attempts=":                                     {Model: "b", AskedModel: "b", UpstreamModel: "b"},
	} {
		if got := logged(exchange.Start{}, nil, end); !strings.Contains(got, want) {
			t.Errorf("%s has no %q", got, want)
		}
	}
}

func TestTheLineHasTheSessionAndTheAgentOfACodingAgent(t *testing.T) {
	t.Parallel()
	got := logged(exchange.Start{ID: "req_1", Session: "s-1", Agent: "a-2", ParentAgent: "a-1"},
		nil, exchange.End{Status: 200})
	if want := ` session=s-1 agent=a-2 parent_agent=a-1 `; !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
	if got := logged(exchange.Start{ID: "req_1"}, nil, exchange.End{Status: 200}); strings.Contains(
		got, "session") || strings.Contains(got, "agent=a") {
		t.Errorf("without an agent: %s", got)
	}
}
