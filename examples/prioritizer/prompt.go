package main

import (
	"fmt"
	"strings"
)

// buildPrompt describes the features and asks for their order: the role, what to look at, the
// features, what is built already, and the form of the answer.
func buildPrompt(prds []PRD, completed []string, opts PrioritizeOptions) string {
	var b strings.Builder
	b.WriteString(promptRole)
	b.WriteString(promptCriteria)
	b.WriteString("# Features\n\n")
	for _, prd := range prds {
		writePRD(&b, prd)
	}
	if len(completed) > 0 {
		b.WriteString("Existing Completed Specs:\n")
		for _, spec := range completed {
			fmt.Fprintf(&b, "- %s\n", spec)
		}
		b.WriteString("\n")
	}
	analysis, closing := "", promptClosing
	if opts.ShowReason {
		analysis, closing = promptAnalysis, promptClosingWithReason
	}
	fmt.Fprintf(&b, promptFormat, analysis)
	b.WriteString(closing)
	return b.String()
}

func writePRD(b *strings.Builder, prd PRD) {
	fmt.Fprintf(b, "ID: %s\nTitle: %s\n", prd.ID, prd.Title)
	if len(prd.DependsOn) > 0 {
		fmt.Fprintf(b, "Depends On: %s\n", strings.Join(prd.DependsOn, ", "))
	}
	fmt.Fprintf(b, "Content:\n%s\n---\n\n", strings.TrimSpace(prd.Content))
}

const promptRole = `You plan the work on a software product. Decide in which order the features below
should be built, so that each one has what it needs and the most useful ones come first.

`

const promptCriteria = `# What to look at

- Foundation: a feature that others build on comes before them.
- Refactoring enablers: work that makes later features cheaper comes early.
- Technical debt fixes: debt that would slow other features down is paid before them.
- Independent: a feature that nothing depends on can wait, or fill a gap.

`

const promptFormat = `# Form of the answer

Answer with one JSON object of this form:

{
  "recommendations": [
    {
      "prd_id": "id of the feature",
      "title": "its title",
      "priority": 1,
      "reasoning": "why it has this place",
      "depends_on": ["ids of features that come before it"],
      "enables_for": ["ids of features that can follow"]
    }
  ],
  "dependency_graph": "what depends on what, such as a -> b"%s
}

Priority 1 is the highest.
`

const promptAnalysis = `,
  "analysis": "what decided the order as a whole"`

const (
	promptClosing           = "Write nothing but the JSON object.\n"
	promptClosingWithReason = "Explain each place in reasoning, and the whole order in analysis.\n"
)
