package interactions

import "strings"

// The families of Google's agents. The name of an agent begins with its family, for example
// deep-research-preview-04-2026.
const (
	AgentDeepResearch = "deep-research"
	AgentAntigravity  = "antigravity"
	AgentCodeMender   = "code-mender"
)

// customAgents begins the names of agents that a project has made.
const customAgents = "agents/"

// IsAgent reports whether a name is the name of an agent and not of a model. Newer agents of
// Google's known families are agents too.
func IsAgent(name string) bool {
	for _, family := range []string{AgentDeepResearch, AgentAntigravity, AgentCodeMender,
		customAgents} {
		if strings.HasPrefix(name, family) {
			return true
		}
	}
	return false
}
