package target

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
)

// SetLength sets the maximum number of tokens of the answer, or the model's limit for nil. Clients
// send the limits of the models that they know. Some Gemini models have and accept less.
func (r *Request) SetLength(pointer string, tokens *int) {
	isSaid := r.Config().MaxOutputTokens != nil
	Set(r, pointer, tokens, &r.Config().MaxOutputTokens)
	if !isSaid {
		r.LimitLength(pointer)
	}
}

// LimitLength limits the maximum number of tokens, which the member at a pointer has set, to the
// model's limit.
func (r *Request) LimitLength(pointer string) {
	asked := r.Config().MaxOutputTokens
	if asked == nil || r.model == nil {
		return
	}
	if most := r.model.Limits.MaxOutputTokens(); most > 0 && *asked > most {
		r.Config().MaxOutputTokens = &most
		r.Report.Add(report.Approximated, pointer,
			"reduced to "+strconv.Itoa(most)+" tokens, the limit of the model")
	}
}
