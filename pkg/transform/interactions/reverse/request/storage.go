package request

import "github.com/gemwire/gemwire/pkg/report"

// setStorage sets whether Google stores the interaction, and the stored interaction that this one
// continues. Google stores interactions by default. It stores requests to generateContent only if
// they ask for it.
func (c *converter) setStorage() error {
	asked := c.rest.Store
	c.rest.Store = nil
	stored := c.store || asked != nil && *asked
	switch {
	case asked == nil && !stored:
		c.report.Add(report.Added, "/store",
			"false, because generateContent does not store a request unless it asks for it")
	case asked != nil && stored != *asked:
		c.report.Add(report.Approximated, "/store", "an option stores the interaction")
	}
	c.out.Store = &stored
	if c.previous != "" {
		c.out.PreviousInteractionID = &c.previous
	}
	switch {
	case stored || c.unvalidated:
		return nil
	case c.previous != "":
		return &Error{Pointer: "/store",
			Problem: "must be true, because the request continues a stored interaction"}
	case c.background:
		return &Error{Pointer: "/store",
			Problem: "must be true, because Google stores what runs in the background"}
	}
	return nil
}
