package docreference

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/config"
)

// settingGroups are the settings by what a reader wants to set. Each setting is in one group.
var settingGroups = []struct{ title, about, names string }{
	{"Address and upstream", "Where the gateway listens, and which server answers.",
		"addr upstream base_url upstream_api api_version vertex location store_at_google"},
	{"Keys of the upstream", "The file of settings holds no key. It names a variable or a file that does.",
		"api_key_file accounts callers_key"},
	{"Servers of chat_completions", "For `upstream: openai` only.",
		"extensions accumulated_deltas older_server effort_with_tools"},
	{"Models", "Which model answers, and how long it may take.",
		"model alias fallback models max_attempts retry_malformed compaction_prompt"},
	{"Clients", "Who may use the gateway.", "key_file allowed_hosts allowed_origins"},
	{"Conversion", "What happens to values that the other API does not have.",
		"strict signatures signature_memory signature_length chat_reasoning count_tokens done_mark"},
	{"Streams", "How a stream begins and stays alive.", "grace heartbeat heartbeat_every websocket"},
	{"Store", "What is kept, where and how long. [The store](../store.md) explains it.",
		"store store_required store_key_file store_replicas store_count store_size store_total_size store_age " +
			"background_per_client"},
	{"Batches", "For the Files and Batch API.",
		"bulk_concurrency bulk_limit_requests bulk_limit_tokens bulk_limit_output_tokens"},
	{"Limits", "How much the gateway accepts at once. [Limits of the gateway](../limits.md) explains how to choose them.",
		"max_body_size max_bytes_in_flight max_answer_size max_concurrent queue_wait"},
	{"Timeouts", "How long the gateway waits for a client.",
		"body_timeout body_rate write_timeout header_timeout idle_timeout"},
	{"Cost", "What an answer costs, and who may spend how much. [Usage and budgets](../spending.md) explains it.",
		"rate_card cost_in_usage unpriced usage_days budget token_budget limits_without_store"},
	{"Inspector, metrics and log", "What you see of the gateway.",
		"inspect inspect_addr inspect_bodies inspect_store inspect_count " +
			"inspect_max_memory inspect_max_body inspect_max_string metrics metrics_addr log_level log_format"},
	{"Shutdown", "How the gateway ends.", "shutdown_grace shutdown_delay"},
	{"For editors", "Editors complete and check a file with this schema.", "$schema"},
}

func settingsPage(t *testing.T) string {
	described, err := config.Descriptions()
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]config.Setting{}
	for _, s := range config.Settings() {
		settings[s.Name] = s
	}
	var b strings.Builder
	b.WriteString("# Settings of the gateway\n\n" +
		"Each setting has one name in three places: `max_body_size` in a file, `GEMWIRE_MAX_BODY_SIZE` in\n" +
		"the environment, `--max-body-size` as a flag. A flag overrides the environment, and the environment\n" +
		"overrides the file.\n\n" +
		"```sh\ngemwire serve --config gateway.yaml\ngemwire serve --config gateway.yaml --check   # finds mistakes, and exits\ngemwire serve --schema > gateway.schema.json  # for editors\n```\n\n" +
		"[`server/examples/gateway/gateway.yaml`](../../server/examples/gateway/gateway.yaml) is a file with every setting.\n" +
		"[Settings](../settings.md) explains the file, the environment and the reload.\n")
	for _, group := range settingGroups {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", group.title, group.about, head("in the file", "flag", "default", "meaning"))
		for name := range strings.FieldsSeq(group.names) {
			s, ok := settings[name]
			if !ok {
				t.Errorf("the group %q has the setting %q, which does not exist or is in two groups", group.title, name)
				continue
			}
			delete(settings, name)
			flag := ""
			if s.Flag() != "" {
				flag = strings.TrimSpace("--" + s.Flag() + " " + s.Takes)
			}
			b.WriteString(row(code(name), code(flag), code(s.Of(config.Default())), described[name]))
		}
	}
	for name := range settings {
		t.Errorf("no group has the setting %q", name)
	}
	return b.String()
}

// settingFlags returns the flags that are settings of the gateway.
func settingFlags() map[string]bool {
	out := map[string]bool{}
	for _, s := range config.Settings() {
		out[s.Flag()] = true
	}
	return out
}
