package recording

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// CarrierOf returns how the thought signature of a part travels, in the answer or in the request.
type CarrierOf func(side exchange.Side, part *geminiapi.Part) exchange.Carrier

// ReturnedSignatures reports the signatures in a request to Gemini, to recorders that want bodies.
func (r *Recorders) ReturnedSignatures(sent *geminiapi.GenerateContentRequest, carrier CarrierOf) {
	if !r.WantsBodies() {
		return
	}
	for i := range sent.Contents {
		for j := range sent.Contents[i].Parts {
			place := "/contents/" + strconv.Itoa(i) + "/parts/" + strconv.Itoa(j)
			r.observeSignature(exchange.Client, place, &sent.Contents[i].Parts[j], carrier)
		}
	}
}

// GivenSignatures reports the signatures in an answer or in a chunk. The location of the chunk is
// given.
func (r *Recorders) GivenSignatures(place string, answer *geminiapi.GenerateContentResponse,
	carrier CarrierOf) {
	if !r.WantsBodies() {
		return
	}
	for i := range answer.Candidates {
		content := answer.Candidates[i].Content
		if content == nil {
			continue
		}
		for j := range content.Parts {
			place := place + "/candidates/" + strconv.Itoa(i) + "/content/parts/" + strconv.Itoa(j)
			r.observeSignature(exchange.Upstream, place, &content.Parts[j], carrier)
		}
	}
}

// observeSignature reports the signature of a part, if it has one.
func (r *Recorders) observeSignature(side exchange.Side, place string, part *geminiapi.Part,
	carrier CarrierOf) {
	if part.ThoughtSignature == nil || *part.ThoughtSignature == "" {
		return
	}
	signature := exchange.Signature{
		Side: side, Pointer: place + "/thoughtSignature", Carrier: exchange.CarrierSentinel,
		Size: len(*part.ThoughtSignature),
	}
	if *part.ThoughtSignature != request.UnsignedCall {
		signature.Carrier = carrier(side, part)
	}
	r.Signature(signature)
}
