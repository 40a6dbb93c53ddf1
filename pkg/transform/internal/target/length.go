package target

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
)

// SetLength sets the most tokens of the answer, nil for as many as the model gives. Clients ask for
// those of the models that they know, which is more than some models of Gemini's give and take for
// an answer.
func (r *Request) SetLength(pointer string, tokens *int) {
	isSaid := r.Config().MaxOutputTokens != nil
	Set(r, pointer, tokens, &r.Config().MaxOutputTokens)
	if !isSaid {
		r.LimitLength(pointer)
	}
}

// LimitLength brings the most tokens of the answer, which a member at a pointer has set, down to
// what the model gives.
func (r *Request) LimitLength(pointer string) {
	asked := r.Config().MaxOutputTokens
	if asked == nil || r.model == nil {
		return
	}
	if most := r.model.Limits.MaxOutputTokens(); most > 0 && *asked > most {
		r.Config().MaxOutputTokens = &most
		r.Report.Add(report.Approximated, pointer,
			"the model gives "+strconv.Itoa(most)+" tokens at most")
	}
}
