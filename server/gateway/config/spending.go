package config

import (
	"strconv"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/quota"
)

// MoneyBudget is a limit of money such as "50USD/month".
type MoneyBudget struct{ quota.Budget }

// UnmarshalText parses the budget.
func (b *MoneyBudget) UnmarshalText(text []byte) error { return b.Set(string(text)) }

// Set implements [Value].
func (b *MoneyBudget) Set(text string) (err error) {
	b.Budget, err = quota.ParseMoney(text)
	return err
}

// String implements [Value].
func (b *MoneyBudget) String() string {
	if b.IsZero() {
		return ""
	}
	return b.Amount.String() + b.Currency + "/" + string(b.Period)
}

// MarshalText formats the budget.
func (b MoneyBudget) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// TokenBudget is a limit of tokens such as "1000000/day".
type TokenBudget struct{ quota.Budget }

// UnmarshalText parses the budget.
func (b *TokenBudget) UnmarshalText(text []byte) error { return b.Set(string(text)) }

// Set implements [Value].
func (b *TokenBudget) Set(text string) (err error) {
	b.Budget, err = quota.ParseTokens(text)
	return err
}

// String implements [Value].
func (b *TokenBudget) String() string {
	if b.IsZero() {
		return ""
	}
	return strconv.FormatInt(b.Tokens, 10) + "/" + string(b.Period)
}

// MarshalText formats the budget.
func (b TokenBudget) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// Policies of settings.
const (
	policyRefuse = "refuse"
	policyAllow  = "allow"
	policyLocal  = "local"
)

// KeysInStore is the value of key_file for keys in the store.
const KeysInStore = "store"

// HasKeyFile reports whether the keys are in a file.
func (c *Config) HasKeyFile() bool { return c.KeyFile != "" && c.KeyFile != KeysInStore }

// RefusesWithoutStore reports whether requests are refused while the store does not answer.
func (c *Config) RefusesWithoutStore() bool { return c.LimitsWithoutStore == policyRefuse }

// Budgets returns the budgets of all keys together.
func (c *Config) Budgets() (budgets []quota.Budget) {
	for _, b := range []quota.Budget{c.Budget.Budget, c.TokenBudget.Budget} {
		if !b.IsZero() {
			budgets = append(budgets, b)
		}
	}
	return budgets
}

// budgetOptions returns the options for what all keys spend.
func (c *Config) budgetOptions() (opts []gateway.Option) {
	opts = append(opts, gateway.WithBudgets(c.Budgets()...))
	if c.Unpriced == policyAllow {
		opts = append(opts, gateway.WithUnpriced())
	}
	return opts
}

// checkSpending checks the settings of keys against those of the store.
func (c *Config) checkSpending() (out []error) {
	if c.KeyFile == KeysInStore && !c.StoreLasts() {
		out = append(out, c.wrong("keys in the store need a store that lasts; "+
			"set store to a folder or to URLs of NATS servers", "key_file"))
	}
	return out
}
