// Package prioritizer is an example of a program that asks a language model for a decision and needs
// more than prose back: in which order features should be built.
//
// It describes the features in a prompt, leaves the call to an [AgentInvoker], and reads the answer
// with package structured, wherever in the answer the JSON stands:
//
//	result, err := prioritizer.Prioritize(ctx, agent, features, nil, prioritizer.DefaultOptions())
//	for _, r := range result.Recommendations {
//		fmt.Println(r.Priority, r.PRDID, r.Title)
//	}
//
// A feature is described by a product requirements document, a PRD.
package prioritizer
