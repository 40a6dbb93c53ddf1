package spending

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/gemwire/gemwire/server/keyfile"
	"github.com/gemwire/gemwire/server/quota"
)

// changes are the flags that set members of a key. "none" removes a member.
type changes struct {
	models              []string
	requests, tokens    string
	concurrent          string
	budget, tokenBudget string
	isAdmin             bool
}

// none removes a limit.
const none = "none"

func (c *changes) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&c.budget, "budget", "",
		"maximum cost as `AMOUNT/PERIOD` such as 5USD/month, or none")
	flags.StringVar(&c.tokenBudget, "token-budget", "",
		"maximum tokens as `TOKENS/PERIOD` such as 1000000/day, or none")
	flags.StringVar(&c.requests, "requests-per-minute", "", "maximum requests per minute, `N` or none")
	flags.StringVar(&c.tokens, "tokens-per-minute", "", "maximum tokens per minute, `N` or none")
	flags.StringVar(&c.concurrent, "concurrent", "", "maximum requests at a time, `N` or none")
	flags.StringSliceVar(&c.models, "models", nil, "`MODELS` that the key may use, or none for all")
	flags.BoolVar(&c.isAdmin, "admin", false, "let the key read the usage of all keys")
}

// members returns the members that the flags set.
func (c *changes) members(cmd *cobra.Command) (out []keyfile.Member, err error) {
	isSet := cmd.Flags().Changed
	for _, limit := range []struct{ flag, member, text string }{
		{"requests-per-minute", "requests_per_minute", c.requests},
		{"tokens-per-minute", "tokens_per_minute", c.tokens},
		{"concurrent", "concurrent", c.concurrent},
	} {
		if !isSet(limit.flag) {
			continue
		}
		if n, err := strconv.Atoi(limit.text); limit.text != none && (err != nil || n < 1) {
			return nil, fmt.Errorf("--%s: %q is not a limit; want a number of at least 1, or none",
				limit.flag, limit.text)
		}
		out = append(out, keyfile.Member{Name: limit.member, Value: unlessNone(limit.text)})
	}
	if isSet("models") {
		value := ""
		if len(c.models) > 0 && c.models[0] != none {
			text, err := json.Marshal(c.models)
			if err != nil {
				return nil, err
			}
			value = string(text)
		}
		out = append(out, keyfile.Member{Name: "models", Value: value})
	}
	if isSet("budget") || isSet("token-budget") {
		value, err := c.budgetMember()
		if err != nil {
			return nil, err
		}
		out = append(out, keyfile.Member{Name: "budget", Value: value})
	}
	if isSet("admin") {
		value := ""
		if c.isAdmin {
			value = "true"
		}
		out = append(out, keyfile.Member{Name: "admin", Value: value})
	}
	return out, nil
}

func unlessNone(text string) string {
	if text == none {
		return ""
	}
	return text
}

var errPeriods = errors.New("--budget and --token-budget must have the same period")

// budgetMember returns the whole budget, which replaces an earlier one.
func (c *changes) budgetMember() (string, error) {
	var members []string
	var period quota.Period
	if text := unlessNone(c.budget); text != "" {
		b, err := quota.ParseMoney(text)
		if err != nil {
			return "", fmt.Errorf("--budget: %w", err)
		}
		period = b.Period
		members = append(members, "amount: "+b.Amount.String(), "currency: "+b.Currency)
	}
	if text := unlessNone(c.tokenBudget); text != "" {
		b, err := quota.ParseTokens(text)
		if err != nil {
			return "", fmt.Errorf("--token-budget: %w", err)
		}
		if period != "" && period != b.Period {
			return "", errPeriods
		}
		period = b.Period
		members = append(members, "tokens: "+strconv.FormatInt(b.Tokens, 10))
	}
	if len(members) == 0 {
		return "", nil
	}
	return "{" + strings.Join(append(members, "period: "+string(period)), ", ") + "}", nil
}
