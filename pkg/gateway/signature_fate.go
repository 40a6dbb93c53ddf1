package gateway

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/transform/openai/request"
)

// tellReturned tells of the signatures in a request that is sent to Gemini.
func (a *answering) tellReturned(r *geminiapi.GenerateContentRequest) {
	if !a.recorders.wantBodies {
		return
	}
	for i := range r.Contents {
		for j := range r.Contents[i].Parts {
			a.tellSignature(exchange.Client, "/contents/"+strconv.Itoa(i), j, &r.Contents[i].Parts[j])
		}
	}
}

// tellGiven tells of the signatures in an answer, or in a chunk of one, of which the place is given.
func (a *answering) tellGiven(place string, r *geminiapi.GenerateContentResponse) {
	if !a.recorders.wantBodies {
		return
	}
	for i := range r.Candidates {
		content := r.Candidates[i].Content
		if content == nil {
			continue
		}
		for j := range content.Parts {
			a.tellSignature(exchange.Upstream, place+"/candidates/"+strconv.Itoa(i)+"/content", j, &content.Parts[j])
		}
	}
}

// tellSignature tells of the signature of a part, if it has one.
func (a *answering) tellSignature(side exchange.Side, content string, position int, part *geminiapi.Part) {
	if part.ThoughtSignature == nil || *part.ThoughtSignature == "" {
		return
	}
	carrier := a.turn.carrier(side, part)
	if *part.ThoughtSignature == request.UnsignedCall {
		carrier = exchange.CarrierSentinel
	}
	a.recorders.Signature(exchange.Signature{
		Side: side, Pointer: content + "/parts/" + strconv.Itoa(position) + "/thoughtSignature", Carrier: carrier, Size: len(*part.ThoughtSignature),
	})
}
