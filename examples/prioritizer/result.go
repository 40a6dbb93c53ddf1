package main

import "fmt"

// PriorityResult is in which order to build features, as the model sees it.
type PriorityResult struct {
	// Recommendations are in the order of the answer, which may differ from the order of their
	// priorities.
	Recommendations []Recommendation `json:"recommendations" validate:"min=1,dive"`
	// DependencyGraph is in words what depends on what.
	DependencyGraph string `json:"dependency_graph" jsonschema_description:"which feature depends on which, such as a -> b"`
	// Analysis is why, if it was asked for.
	Analysis string `json:"analysis,omitempty"`
}

// Recommendation is the place of one feature.
type Recommendation struct {
	// PRDID is the id of the feature's document.
	PRDID string `json:"prd_id" validate:"required"`
	// Title is its title.
	Title string `json:"title"`
	// Priority counts from 1, the highest.
	Priority int `json:"priority" validate:"gt=0" jsonschema_description:"1 is the highest"`
	// Reasoning is why it has this place.
	Reasoning string `json:"reasoning"`
	// DependsOn are the ids of those that have to be built before.
	DependsOn []string `json:"depends_on"`
	// EnablesFor are the ids of those that can be built after.
	EnablesFor []string `json:"enables_for"`
}

// Truncate keeps the first n recommendations. With n below 0 it keeps none.
func (r *PriorityResult) Truncate(n int) {
	if n = max(n, 0); n < len(r.Recommendations) {
		r.Recommendations = r.Recommendations[:n]
	}
}

// Validate checks a result that did not come from [ParsePriorityResponse].
func (r *PriorityResult) Validate() error {
	if len(r.Recommendations) == 0 {
		return fmt.Errorf("priority result must have at least one recommendation")
	}
	for i, recommendation := range r.Recommendations {
		if recommendation.PRDID == "" {
			return fmt.Errorf("recommendation at index %d has empty PRDID", i)
		}
		if recommendation.Priority <= 0 {
			return fmt.Errorf("recommendation at index %d has invalid priority %d (must be > 0)", i,
				recommendation.Priority)
		}
	}
	return nil
}
