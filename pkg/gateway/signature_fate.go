package gateway

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/transform/openai/request"
)

// carrierOf tells how the thought signature of a part travels, of the answer or of the request.
type carrierOf func(side exchange.Side, part *geminiapi.Part) exchange.Carrier

// tellReturned tells those that want bodies of the signatures in a request that is sent to Gemini.
func (c *call) tellReturned(r *geminiapi.GenerateContentRequest, carrier carrierOf) {
	if !c.recorders.wantBodies {
		return
	}
	for i := range r.Contents {
		for j := range r.Contents[i].Parts {
			place := "/contents/" + strconv.Itoa(i) + "/parts/" + strconv.Itoa(j)
			c.tellSignature(exchange.Client, place, &r.Contents[i].Parts[j], carrier)
		}
	}
}

// tellGiven tells of the signatures in an answer, or in a chunk of one, of which the place is given.
func (c *call) tellGiven(place string, r *geminiapi.GenerateContentResponse, carrier carrierOf) {
	if !c.recorders.wantBodies {
		return
	}
	for i := range r.Candidates {
		content := r.Candidates[i].Content
		if content == nil {
			continue
		}
		for j := range content.Parts {
			place := place + "/candidates/" + strconv.Itoa(i) + "/content/parts/" + strconv.Itoa(j)
			c.tellSignature(exchange.Upstream, place, &content.Parts[j], carrier)
		}
	}
}

// tellSignature tells of the signature of a part, if it has one.
func (c *call) tellSignature(side exchange.Side, place string, part *geminiapi.Part, carrier carrierOf) {
	if part.ThoughtSignature == nil || *part.ThoughtSignature == "" {
		return
	}
	told := exchange.Signature{
		Side: side, Pointer: place + "/thoughtSignature", Carrier: exchange.CarrierSentinel, Size: len(*part.ThoughtSignature),
	}
	if *part.ThoughtSignature != request.UnsignedCall {
		told.Carrier = carrier(side, part)
	}
	c.recorders.Signature(told)
}
