package gateway_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
)

// ofTokens returns token counts.
func ofTokens(in, out int) geminitest.Block {
	return geminitest.Usage(&geminiapi.UsageMetadata{PromptTokenCount: new(in),
		CandidatesTokenCount: new(out), TotalTokenCount: new(in + out)})
}

func TestASummaryThatFailsIsCountedOnce(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string][]geminitest.Block{
		"cut off": {aSummary, ofTokens(1000, 100), geminitest.Finish(geminiapi.FinishReasonMaxTokens)},
		"refused": {ofTokens(1000, 100), geminitest.Finish(geminiapi.FinishReasonSafety)},
	} {
		for path, body := range map[string]string{compactPath: compactBody(oldItems, ""),
			responsesPath: compactBody(longItems, shortRule)} {
			book := &diary{}
			post(gatewayOf(t, summarising(t, reply...), gateway.WithObserver(book)), path, body)
			if used := book.last().end.Usage; used.InputTokens != 1000 || used.OutputTokens != 100 {
				t.Errorf("%s, %s: %+v", name, path, used)
			}
		}
	}
}

func TestAnAttemptBeforeASummaryThatFailsIsCountedOnce(t *testing.T) {
	t.Parallel()
	prompt := geminitest.Prompt("about to be replaced by a summary")
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(prompt).Reply(ofTokens(1000, 100),
			geminitest.Finish(geminiapi.FinishReasonMalformedFunctionCall)).Times(1),
		geminitest.On(prompt).Reply(geminitest.Error(400, "INVALID_ARGUMENT", "no"))))
	book := &diary{}
	post(gatewayOf(t, server, gateway.WithObserver(book)), compactPath, compactBody(oldItems, ""))
	if used := book.last().end.Usage; used.InputTokens != 1000 || used.OutputTokens != 100 {
		t.Errorf("%+v", used)
	}
}

func TestAConversationIsShortenedOnlyIfThatReplacesEnough(t *testing.T) {
	t.Parallel()
	server := summarising(t, aSummary)
	handler := gatewayOf(t, server)
	large := `,"instructions":"` + strings.Repeat("rule ", 4000) + `"` +
		strings.Replace(shortRule, "1000", "4000", 1)
	items := longItems
	for turn, want := range []bool{true, false, false} {
		got := windowOf(t, post(handler, responsesPath, compactBody(items, large)))
		if strings.Contains(got, `"compaction"`) != want {
			t.Errorf("turn %d: %s", turn, got)
		}
		items += "," + got + `,{"role":"user","content":"And?"}`
	}
}

func TestAConversationWhoseLimitIsUnknownIsNotShortenedAndTheReportSaysSo(t *testing.T) {
	t.Parallel()
	book := &diary{}
	handler := keyedGateway(t, &keyedUpstream{}, []string{"one"}, gateway.WithObserver(book))
	body := strings.Replace(compactBody(longItems, `,"context_management":[{"type":"compaction"}]`),
		"gemini-3.6-flash", "my-own-model", 1)
	answer := post(handler, responsesPath, body)
	if answer.Code != http.StatusOK || answer.Header().Get("X-Gemwire-Losses") != "1" {
		t.Errorf("HTTP %d, %v: %s", answer.Code, answer.Header(), answer.Body)
	}
	hasAll(t, fmt.Sprint(book.last().reported), "/context_management", "set compact_threshold")
}

func TestASummaryUsesNoToolThatGoogleRuns(t *testing.T) {
	t.Parallel()
	server := summarising(t, aSummary)
	handler := gatewayOf(t, server)
	for tools, want := range map[string]string{
		`{"type":"web_search"}`: `"tools"`,
		`{"type":"web_search"},{"type":"function","name":"now","parameters":{}}`: `oogleSearch`,
	} {
		answer := post(handler, compactPath, compactBody(oldItems, `,"tools":[`+tools+`]`))
		if asked := lastAsked(server); answer.Code != http.StatusOK || strings.Contains(asked, want) ||
			strings.Contains(asked, "ServerSide") {
			t.Errorf("HTTP %d: asked %s", answer.Code, asked)
		}
	}
	hasAll(t, lastAskedWith(t, server, "functionDeclarations"), `"name":"now"`, `"mode":"NONE"`)
}

// lastAskedWith returns the last request with a text.
func lastAskedWith(t testing.TB, server *geminitest.Server, text string) (found string) {
	t.Helper()
	for _, asked := range server.Requests() {
		if strings.Contains(string(asked.Body), text) {
			found = string(asked.Body)
		}
	}
	return found
}

func TestABlockedSummaryIsRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, summarising(t, geminitest.Chunk(`{"promptFeedback":{"blockReason":`+
		`"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9,"totalTokenCount":9}}`)))
	answer := post(handler, compactPath, compactBody(oldItems, ""))
	hasAll(t, answer.Body.String(), "blocked, PROHIBITED_CONTENT", "compaction_failed")
}

func TestAnItemThatIsNotPossibleIsRefusedByItsFault(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	const content, first = "input[1].encrypted_content", "input[1]"
	for items, want := range map[string][2]string{
		`{"type":"compaction"}`:                          {content, "must be set"},
		`{"type":"compaction","encrypted_content":null}`: {content, "must be set"},
		`{"type":"compaction","encrypted_content":""}`:   {content, "must be set"},
		`{"type":"compaction","encrypted_content":"gemwire-compaction-9.x"}`: {content,
			"was made by another version"},
		`{"type":"compaction_trigger"},{"role":"user","content":"x"}`: {first,
			"a compaction_trigger must be the last item"},
		`{"type":"compaction_trigger"},{"type":"compaction_trigger"}`: {first,
			"a compaction_trigger must be the last item"},
	} {
		answer := post(handler, responsesPath, compactBody(`{"role":"user","content":"x"},`+items, ""))
		openaitest.Subset(t, answer.Body.String(),
			`{"error":{"code":"invalid_compaction","param":"`+want[0]+`"}}`)
		hasAll(t, answer.Body.String(), want[1])
	}
}

func TestASecondAttemptAtASummaryAsksForText(t *testing.T) {
	t.Parallel()
	prompt := geminitest.Prompt("about to be replaced by a summary")
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(prompt).Reply(
			geminitest.Finish(geminiapi.FinishReasonMalformedFunctionCall)).Times(1),
		geminitest.On(prompt).Reply(aSummary)))
	answer := post(gatewayOf(t, server), compactPath, compactBody(oldItems, ","+placeTool))
	asked := lastAsked(server)
	if answer.Code != http.StatusOK || strings.Contains(asked, "Call a declared function") {
		t.Errorf("HTTP %d: asked %s", answer.Code, asked)
	}
	hasAll(t, asked, "call no function")
}

func TestTheCostOfAnAnswerIncludesItsSummary(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{"whole": "", "stream": `,"stream":true`} {
		book := &diary{}
		handler := gatewayOf(t, summarising(t, aSummary, ofTokens(1000, 100)), gateway.WithObserver(book),
			gateway.WithRateCard(ratecard.Google()), gateway.WithCostInUsage())
		answer := post(handler, responsesPath, compactBody(longItems, shortRule+members))
		_, found, _ := strings.Cut(answer.Body.String(), `"cost":`)
		found, _, _ = strings.Cut(found, ",")
		cost, err := strconv.ParseFloat(found, 64)
		if want := book.last().end.Cost; err != nil || want == nil ||
			cost != want.Amount || cost < 0.001 {
			t.Errorf("%s: %q; want %+v: %s", name, found, want, answer.Body)
		}
	}
}
