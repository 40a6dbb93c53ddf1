package thinking

import "github.com/gemwire/gemwire/pkg/report"

// AddSetting reads the member thinking of the Messages API. DeepSeek, Z.ai and LiteLLM accept it in
// chat completions too. It has a type, or "", and a number of tokens. Their answers include the
// thoughts.
func (w *Wish) AddSetting(pointer, kind string, tokens *int) {
	typeAt := pointer
	if kind != "" {
		typeAt += "/type"
	}
	switch effectiveType(kind, tokens) {
	case "disabled":
		w.AddEffort(typeAt, "none")
	case "enabled", "adaptive", "auto":
		w.Enable(pointer + "/type")
		w.Show(typeAt, true)
	default:
		w.Report.Add(report.Lost, typeAt, "must be enabled, disabled, adaptive or auto")
	}
	switch {
	case tokens != nil:
		w.AddTokens(pointer+"/budget_tokens", *tokens)
	case !w.HasAmount() && (kind == "adaptive" || kind == "auto"):
		w.AddTokens(typeAt, AsMuchAsItLikes)
	}
}

// effectiveType returns the type. The number of tokens determines a missing type.
func effectiveType(kind string, tokens *int) string {
	switch {
	case kind != "" || tokens == nil:
		return kind
	case *tokens == 0:
		return "disabled"
	default:
		return "enabled"
	}
}
