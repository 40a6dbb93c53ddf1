package docreference

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// errorCodes are the codes of the gateway's errors. The test holds them to the code.
var errorCodes = []struct{ code, status, cause, action string }{
	{"account_not_found", "400", "A replay of the inspector names an account that the gateway does not have.", "Choose an account of the list, which `accounts` in the settings defines."},
	{"compaction_failed", "502", "The model did not complete the summary of a conversation.", "Try again. The conversation is unchanged ([compaction](../compaction.md))."},
	{"empty_answer", "502", "The model returned an empty answer, also when the gateway called it again.", "Try again, or change the prompt. With `retry_malformed: 0` the gateway passes the empty answer on, as it always does on Google's own paths."},
	{"bad_upstream_answer", "502", "The upstream sent something that is not an answer of its API, for example a web page or a redirect.", "Check `base_url` and the proxies between the gateway and the upstream."},
	{"call_not_found", "400", "The request continues a stored conversation, and a result has a `call_id` that no call of the conversation has.", "Send the `call_id` of the call, or the call itself."},
	{"cancelled", "499", "The background response was cancelled or deleted while it ran.", "Nothing."},
	{"client_left", "499", "The client closed the connection before the answer was complete.", "Raise the timeout of the client if it should have waited."},
	{"context_length_exceeded", "400", "The prompt has more tokens than the model accepts.", "Shorten the prompt, or use a model that accepts more. A retry cannot help."},
	{"gateway_overloaded", "429", "The gateway has no place or no memory left for the request. The message names the limit.", "Retry after `Retry-After`, or raise the limit that the message names ([limits](../limits.md))."},
	{"insufficient_quota", "429", "The daily quota of the Google project or the budget of the client key is used up.", "Wait until the quota or the budget renews, or add a project to `accounts`, or raise the [budget](../spending.md). A retry within minutes cannot help."},
	{"internal_error", "500", "The gateway failed.", "Look for the request id in the gateway's log, and report the error."},
	{"invalid_api_key", "401", "The gateway needs a client key, and the request has none or an unknown one.", "Send the key as `Authorization: Bearer KEY`, `x-api-key` or `x-goog-api-key` ([keys](../keys.md))."},
	{"invalid_compaction", "400", "The gateway cannot open a `compaction` item, or a `compaction_trigger` is not the last item.", "Send the items themselves, or shorten the conversation again ([compaction](../compaction.md))."},
	{"invalid_content_encoding", "400", "The body is not compressed as its `Content-Encoding` says, or it is cut off.", "Correct the header, or send the body without it."},
	{"invalid_handshake", "400", "A request for a WebSocket breaks the protocol.", "Use a WebSocket library, and look at the proxies between client and gateway."},
	{"invalid_header", "400", "A header has a value that the gateway does not accept, for example `x-gemwire-strict: yes`.", "Correct the header that the message names."},
	{"invalid_model", "400", "The name of the model is too long, or has a character that no model has.", "Correct `model`."},
	{"invalid_path", "400", "A path or query of Google's API has a name that the gateway does not pass on.", "Correct the path that the message names."},
	{"invalid_query", "400", "The query of the request cannot be read.", "Correct the query."},
	{"invalid_request_error", "400", "On a [WebSocket](../websocket.md): the message is not valid. The message of the error says why.", "Correct the message."},
	{"invalid_stream_id", "400", "On a WebSocket: `stream_id` is empty, too long, or has other characters than letters, digits, `_`, `.` and `-`.", "Correct `stream_id`."},
	{"invalid_value", "400", "A member or parameter has a value that the API does not accept.", "Correct the member that `param` names."},
	{"larger_than_store", "413", "The conversation is larger than the stored data of a client key may be.", "Raise `store_size`, or start a new conversation."},
	{"limits_unavailable", "503", "The store that counts the limits of client keys does not answer, and `limits_without_store` is `refuse`.", "Retry after `Retry-After`, or set `limits_without_store: local`."},
	{"lossy_conversion", "400", "Strict mode is on, and the conversion would lose a value.", "Leave out the values that the message lists, or turn strict mode off ([losses](losses.md))."},
	{"missing_required_parameter", "400", "A required member is missing.", "Add the member that `param` names."},
	{"model_not_found", "404", "The upstream does not have the model, or the client key may not use it.", "Use the name that the message suggests, or add an alias ([aliases](../aliases.md))."},
	{"mutually_exclusive_parameters", "400", "Two members exclude each other.", "Leave one of them out."},
	{"not_implemented", "400", "The upstream does not have the operation.", "Use another operation. A retry cannot help."},
	{"nothing_is_kept", "404", "The request needs a response store, and the gateway has none.", "Set `store` ([stored responses](../stored-responses.md)), or send the whole conversation."},
	{"permission_denied", "403", "The client key may not do this.", "Use another key, or extend the key in `key_file`."},
	{"previous_response_not_found", "400", "The gateway does not have the response: another key made it, it is too old, or it was deleted.", "Send the whole conversation."},
	{"rate_limit_exceeded", "429", "The client key has used its requests or tokens of this minute, or the upstream has a limit that passes.", "Retry after `Retry-After`."},
	{"request_too_large", "413", "The body is larger than the limit that the message names.", "Send less, or raise `max_body_size`."},
	{"response_not_found", "400", "On a WebSocket: a `response.inject` names a response that accepts no items. None does.", "Send a `response.create` with the items."},
	{"shutting_down", "503", "The gateway is shutting down.", "Retry. Another replica answers."},
	{"slow_body", "408", "The body stalled, or arrived more slowly than `body_rate`.", "Retry. For slow networks raise `body_timeout` or lower `body_rate`."},
	{"steering_not_supported", "400", "On a WebSocket: a `response.steer` was sent, and Gemini cannot be steered.", "Send a `response.create` after the response."},
	{"store_failed", "500", "The response store failed. The log has the reason.", "Check the disk or the servers of `store`."},
	{"store_full", "503", "The store is full.", "Delete files and batches, give the store more space, or raise `store_total_size`."},
	{"store_unavailable", "503", "The store does not answer. The log has the reason.", "Retry, or send the whole conversation with `store: false` ([the store](../store.md))."},
	{"unknown_parameter", "400", "The request has a parameter that the API does not have.", "Correct the name. The message suggests one."},
	{"unknown_url", "404", "The gateway does not have the path. Often the base URL has `/v1` where it must not, or lacks it.", "Correct the base URL. The message has a hint. [Endpoints](endpoints.md) lists all paths."},
	{"unpriced", "403", "A budget applies to the request, and its cost is unknown.", "Add a price to `rate_card`, or set `unpriced: allow` ([usage and budgets](../spending.md))."},
	{"unreadable_body", "400", "The body ended before its announced length, or cannot be read.", "Retry. If it happens again, look at the proxies between client and gateway."},
	{"unsupported_content_encoding", "415", "The body is compressed in a way that the gateway does not read.", "Compress it by gzip, deflate or zstd, or send it without `Content-Encoding`."},
	{"unsupported_parameter", "400", "The request has a member that is not possible here, for example `background` on a WebSocket.", "Leave out the member that `param` names."},
	{"unsupported_value", "400", "A member has a value that Gemini cannot do.", "Correct the member that `param` names."},
	{"upgrade_required", "426", "The path serves WebSockets only for `GET`, and the request is no upgrade, or `websocket` is false.", "Send a POST, or set `websocket: true` ([WebSocket](../websocket.md))."},
	{"upstream_answer_too_large", "502", "The answer is larger than `max_answer_size`.", "Raise `max_answer_size`, or ask for less."},
	{"upstream_key_refused", "403", "The upstream refused the key of the gateway.", "Check the key of the account that the log names, and its project."},
	{"websocket_connection_limit_reached", "400", "The WebSocket lasted 60 minutes.", "Open a new connection."},
	{"websocket_stream_limit_reached", "400", "The WebSocket has 32 named streams.", "Use one of them, or open another connection."},
}

var codeInSource = regexp.MustCompile(`(?:\b[cC]ode\w*\s*(?::|:?=)\s*|Invalid\(\s*)"([a-z_]{2,})"`)

// errorsPage lists the error codes. It fails for a code of the gateway that the list lacks.
func errorsPage(t *testing.T) string {
	sources := ""
	for _, folder := range []string{"server/gateway", "pkg/transform"} {
		err := fs.WalkDir(os.DirFS(filepath.Join(root, folder)), ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "exchangetest") {
				return err
			}
			data, err := os.ReadFile(filepath.Join(root, folder, name))
			sources += string(data)
			if folder == "server/gateway" {
				for _, match := range codeInSource.FindAllSubmatch(data, -1) {
					if !slices.ContainsFunc(errorCodes, func(e struct{ code, status, cause, action string }) bool { return e.code == string(match[1]) }) {
						t.Errorf("%s/%s has the code %s, which errorCodes lacks", folder, name, match[1])
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString("# Errors of the gateway\n\n```json\n" +
		`{"error": {"type": "invalid_request_error", "code": "invalid_header", "param": null, "message": "x-gemwire-strict: must be true or false"}}` + "\n```\n\n" +
		"An error has the format of the API that the client calls. Errors of OpenAI's APIs have `code` and `param`.\n" +
		"Errors of Messages have Anthropic's types and statuses, for example 529 `overloaded_error`. Their code is only in\n" +
		"the gateway's log and metrics. Errors on Google's paths have Google's format.\n\n" +
		"`x-should-retry: false` marks an error that a retry cannot fix. `Retry-After` has the seconds to wait.\n" +
		"Errors of the upstream that are not in this table keep their status and message.\n\n" +
		head("code", "status", "cause", "what to do"))
	for _, e := range errorCodes {
		if !strings.Contains(sources, `"`+e.code+`"`) {
			t.Errorf("the code has no error %s", e.code)
		}
		b.WriteString(row(code(e.code), e.status, e.cause, e.action))
	}
	return b.String()
}

// TestStatusesOfThePageAreThoseOfTheCode compares the page's statuses with the statuses in the
// code.
func TestStatusesOfThePageAreThoseOfTheCode(t *testing.T) {
	t.Parallel()
	statuses := statusesInCode(t)
	checked := 0
	for _, e := range errorCodes {
		found := statuses[e.code]
		if len(found) > 0 {
			checked++
		}
		if len(found) > 1 || len(found) == 1 && !found[e.status] {
			t.Errorf("%s: the page has the status %s, and the code has %v", e.code, e.status, slices.Sorted(maps.Keys(found)))
		}
	}
	if checked < len(errorCodes)*3/4 {
		t.Errorf("the test finds the statuses of only %d codes", checked)
	}
}

// statusesInCode returns the statuses of each code: literals with a Status and a Code, and calls of
// Invalid, which is a 400.
func statusesInCode(t *testing.T) map[string]map[string]bool {
	t.Helper()
	var files []*ast.File
	for _, folder := range []string{"server/gateway", "pkg/transform"} {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(folder)), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			files = append(files, file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	constants := map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
				for i, name := range spec.Names {
					if text, ok := literal(spec.Values[i]); ok && strings.HasPrefix(name.Name, "Code") {
						constants[name.Name] = text
					}
				}
			}
			return true
		})
	}
	codeOf := func(e ast.Expr) string {
		if text, ok := literal(e); ok {
			return text
		}
		switch e := e.(type) {
		case *ast.Ident:
			return constants[e.Name]
		case *ast.SelectorExpr:
			return constants[e.Sel.Name]
		}
		return ""
	}
	out := map[string]map[string]bool{}
	add := func(code, status string) {
		if code != "" && status != "" {
			if out[code] == nil {
				out[code] = map[string]bool{}
			}
			out[code][status] = true
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				fields := map[string]ast.Expr{}
				for _, element := range n.Elts {
					if pair, ok := element.(*ast.KeyValueExpr); ok {
						if name, ok := pair.Key.(*ast.Ident); ok {
							fields[name.Name] = pair.Value
						}
					}
				}
				add(codeOf(fields["Code"]), statusOf(fields["Status"]))
			case *ast.CallExpr:
				if len(n.Args) == 3 && strings.HasSuffix(types.ExprString(n.Fun), "Invalid") {
					add(codeOf(n.Args[0]), "400")
				}
			}
			return true
		})
	}
	return out
}

// literal returns the text of a string literal.
func literal(e ast.Expr) (string, bool) {
	text, ok := e.(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return "", false
	}
	value, err := strconv.Unquote(text.Value)
	return value, err == nil
}

// statusOf returns a status by its constant in net/http, for example 404 for http.StatusNotFound.
func statusOf(e ast.Expr) string {
	if number, ok := e.(*ast.BasicLit); ok && number.Kind == token.INT {
		return number.Value
	}
	name, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	for status := 400; status < 600; status++ {
		if words := regexp.MustCompile(`[^A-Za-z]`).ReplaceAllString(http.StatusText(status), ""); words != "" &&
			strings.EqualFold(name.Sel.Name, "Status"+words) {
			return strconv.Itoa(status)
		}
	}
	return ""
}
