package thinking

import "github.com/gemwire/gemwire/gen/geminiapi"

// Nearest is the effort, and the level, whose token budget is the nearest one.
type Nearest struct {
	Effort string
	Level  geminiapi.ThinkingLevel
	Budget int
}

// NearestTo returns the effort with the nearest budget. Any budget above zero is at least a low
// effort. Google's own endpoint for chat completions uses the same budgets
// (ai.google.dev/gemini-api/docs/openai, "Thinking").
func NearestTo(budget int) Nearest {
	names := []string{"low", "medium", "high"}
	if budget <= 0 {
		names = []string{"none"}
	}
	var out Nearest
	for i, name := range names {
		of := efforts[name]
		if i == 0 || distance(of.budget, budget) < distance(out.Budget, budget) {
			out = Nearest{Effort: name, Level: of.level, Budget: of.budget}
		}
	}
	return out
}

func distance(a, b int) int { return max(a, b) - min(a, b) }
