package organization

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	usage "github.com/gemwire/gemwire/server/usage/row"
)

// list is a page of buckets.
type list struct {
	Object   string   `json:"object"`
	Data     []bucket `json:"data"`
	HasMore  bool     `json:"has_more"`
	NextPage *string  `json:"next_page"`
}

type bucket struct {
	Object    string `json:"object"`
	StartTime int64  `json:"start_time"`
	EndTime   int64  `json:"end_time"`
	Results   []any  `json:"results"`
}

// completions is a result of usage. Members of groups that were not requested are null.
type completions struct {
	Object            string  `json:"object"`
	InputTokens       int64   `json:"input_tokens"`
	OutputTokens      *int64  `json:"output_tokens,omitempty"`
	InputCachedTokens *int64  `json:"input_cached_tokens,omitempty"`
	InputAudioTokens  *int64  `json:"input_audio_tokens,omitempty"`
	OutputAudioTokens *int64  `json:"output_audio_tokens,omitempty"`
	NumModelRequests  int64   `json:"num_model_requests"`
	ProjectID         *string `json:"project_id"`
	UserID            *string `json:"user_id"`
	APIKeyID          *string `json:"api_key_id"`
	Model             *string `json:"model"`
	Batch             *bool   `json:"batch"`
	ServiceTier       *string `json:"service_tier"`
}

// costs is a result of costs.
type costs struct {
	Object    string  `json:"object"`
	Amount    amount  `json:"amount"`
	LineItem  *string `json:"line_item"`
	ProjectID *string `json:"project_id"`
	APIKeyID  *string `json:"api_key_id"`
	Quantity  *int64  `json:"quantity"`
}

type amount struct {
	Value    jsontext.Value `json:"value"` // exact
	Currency string         `json:"currency"`
}

// Encode returns the page of a query with rows of its days.
func (q *Query) Encode(kind Kind, rows []usage.Row) ([]byte, error) {
	byDay := map[string][]usage.Row{}
	for i := range rows {
		if row := &rows[i]; q.permits(row) && isOf(kind, row) {
			byDay[row.Day] = append(byDay[row.Day], *row)
		}
	}
	days, next := q.page()
	out := &list{Object: "page", Data: []bucket{}, HasMore: !next.IsZero()}
	if out.HasMore {
		out.NextPage = new(fmt.Sprint(pagePrefix, next.Unix()))
	}
	for _, start := range days {
		b := bucket{Object: "bucket", StartTime: start.Unix(), EndTime: start.Add(day).Unix(),
			Results: []any{}}
		for _, row := range usage.Sum(byDay[usage.DayOf(start)], q.keep(kind)) {
			b.Results = append(b.Results, q.result(kind, &row))
		}
		out.Data = append(out.Data, b)
	}
	return json.Marshal(out)
}

// isOf reports whether a row belongs to a list.
func isOf(kind Kind, row *usage.Row) bool {
	switch kind {
	case Costs:
		return row.Currency != ""
	case Embeddings:
		return row.Form == "embeddings"
	default:
		return row.Form != "embeddings"
	}
}

// keep returns the members of keys by which rows are grouped.
func (q *Query) keep(kind Kind) func(usage.Key) usage.Key {
	return func(key usage.Key) usage.Key {
		var out usage.Key
		if kind == Costs {
			out.Currency = key.Currency
		}
		for _, group := range q.groups {
			switch group {
			case "api_key_id":
				out.Client = key.Client
			case "model", "line_item":
				out.Model = key.Model
			case "service_tier":
				out.Tier = key.Tier
			case "batch":
				if out.Tier == "" && isBatch(&key) {
					out.Tier = "batch"
				}
			}
		}
		return out
	}
}

func (q *Query) result(kind Kind, row *usage.Row) any {
	named := func(group, value string) *string {
		if !slices.Contains(q.groups, group) {
			return nil
		}
		return &value
	}
	if kind == Costs {
		out := &costs{Object: "organization.costs.result",
			Amount:   amount{jsontext.Value(row.Cost.String()), strings.ToLower(row.Currency)},
			LineItem: named("line_item", row.Model), APIKeyID: named("api_key_id", row.Client)}
		if out.LineItem != nil {
			out.Quantity = new(row.Tokens())
		}
		return out
	}
	out := &completions{Object: "organization." + string(kind) + ".result",
		InputTokens: row.InputTokens, NumModelRequests: row.Requests,
		APIKeyID: named("api_key_id", row.Client), Model: named("model", row.Model)}
	if kind == Embeddings {
		return out
	}
	out.OutputTokens = new(row.OutputTokens + row.ThinkingTokens)
	out.InputCachedTokens, out.InputAudioTokens = &row.CachedTokens, &row.InputAudioTokens
	out.OutputAudioTokens = &row.OutputAudioTokens
	out.ServiceTier = named("service_tier", row.Tier)
	if slices.Contains(q.groups, "batch") {
		out.Batch = new(isBatch(&row.Key))
	}
	return out
}
