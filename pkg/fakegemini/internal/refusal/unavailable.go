package refusal

import (
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// Overloaded is the answer of a model without capacity, in the words of 2025.
func Overloaded() *Refusal {
	return New(geminiapi.ErrorStatusUnavailable, "The model is overloaded. Please try again later.")
}

// HighDemand is [Overloaded] in the words of 2026.
func HighDemand() *Refusal {
	return New(geminiapi.ErrorStatusUnavailable,
		"This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again later.")
}

// Internal is the answer if the server itself fails.
func Internal() *Refusal {
	return New(geminiapi.ErrorStatusInternal,
		"An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting")
}

// Exhausted is the bare answer to too many requests, without a limit or a wait.
func Exhausted() *Refusal {
	return New(geminiapi.ErrorStatusResourceExhausted,
		"Resource has been exhausted (e.g. check quota).")
}

// Quota is a limit that a request exceeded.
type Quota struct {
	// Metric is what the limit counts, after the name of the service. "" means
	// "generate_content_free_tier_requests".
	Metric string
	// ID is the id of the limit. It contains PerDay or PerMinute, which decides whether waiting
	// helps. "" means GenerateRequestsPerMinutePerProjectPerModel-FreeTier.
	ID string
	// Limit is the value of the limit.
	Limit int
	// Model is the model that is limited.
	Model string
	// RetryAfter is how long to wait; 0 omits the wait.
	RetryAfter time.Duration
}

// rateLimitsPage is the page that messages about quotas link to.
const rateLimitsPage = "https://ai.google.dev/gemini-api/docs/rate-limits"

// QuotaExceeded is the answer to a request above a limit, with Help, QuotaFailure and RetryInfo.
func QuotaExceeded(q Quota) *Refusal {
	if q.Metric == "" {
		q.Metric = "generate_content_free_tier_requests"
	}
	if q.ID == "" {
		q.ID = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
	}
	metric := geminiService + "/" + q.Metric
	var message strings.Builder
	message.WriteString("You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: " +
		rateLimitsPage + ". To monitor your current usage, head to: https://ai.dev/rate-limit. \n")
	message.WriteString("* Quota exceeded for metric: " + metric + ", limit: " +
		strconv.Itoa(q.Limit) + ", model: " + q.Model)
	if q.RetryAfter > 0 {
		message.WriteString("\nPlease retry in " + seconds(q.RetryAfter) + ".")
	}
	violation := geminiapi.Violation{
		QuotaMetric:     &metric,
		QuotaID:         &q.ID,
		QuotaDimensions: map[string]string{"location": "global", "model": q.Model},
	}
	if q.Limit != 0 {
		violation.QuotaValue = new(wiretype.NewInt64(int64(q.Limit)))
	}
	r := New(geminiapi.ErrorStatusResourceExhausted, message.String()).
		with("Help", geminiapi.ErrorDetail{Links: []geminiapi.HelpLink{{
			Description: new("Learn more about Gemini API quotas"), URL: new(rateLimitsPage),
		}}}).
		with("QuotaFailure", geminiapi.ErrorDetail{Violations: []geminiapi.Violation{violation}})
	if q.RetryAfter > 0 {
		r.with("RetryInfo",
			geminiapi.ErrorDetail{RetryDelay: new(seconds(q.RetryAfter.Truncate(time.Second)))})
	}
	return r
}

// TooManyTokens is the answer to a prompt that exceeds the model's input limit.
func TooManyTokens(count, limit int) *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument, "The input token count ("+strconv.Itoa(count)+
		") exceeds the maximum number of tokens allowed ("+strconv.Itoa(limit)+").")
}
