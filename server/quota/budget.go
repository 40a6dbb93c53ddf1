package quota

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/server/money"
)

// Budget limits the money, the tokens, or both that are spent in a period. The zero value is no
// budget.
type Budget struct {
	// Amount is in units of Currency, such as "USD". There is no limit on money without a currency.
	Amount   money.Nano
	Currency string
	// Tokens are all tokens, or 0 for no limit.
	Tokens int64
	Period Period
}

// IsZero reports whether nothing is limited.
func (b Budget) IsZero() bool { return b == Budget{} }

// Check returns what is wrong with a budget, with the name of the member.
func (b Budget) Check() (member string, err error) {
	switch {
	case b.IsZero():
		return "", nil
	case !slices.Contains(Periods(), b.Period):
		return "period", fmt.Errorf("must be day, week, month or total")
	case b.Currency == "" && b.Tokens == 0:
		return "", fmt.Errorf("needs an amount with a currency, or tokens")
	case b.Currency != "" && !isCurrency(b.Currency):
		return "currency", fmt.Errorf("must be a code such as USD")
	case b.Amount < 0:
		return "amount", fmt.Errorf("must not be negative")
	case b.Tokens < 0:
		return "tokens", fmt.Errorf("must not be negative")
	}
	return "", nil
}

func isCurrency(text string) bool {
	return len(text) == 3 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// Money returns the limit of money, if there is one. The owner is the name of a key, or "" for all
// requests.
func (b Budget) Money(owner string) (rule Rule, ok bool) {
	return Rule{Name: strings.Join([]string{"budget", owner, b.Currency, string(b.Period)}, "\n"),
		Limit: int64(b.Amount), Period: b.Period}, b.Currency != ""
}

// TokenRule returns the limit of tokens, if there is one.
func (b Budget) TokenRule(owner string) (rule Rule, ok bool) {
	return Rule{Name: strings.Join([]string{"budget", owner, "tokens", string(b.Period)}, "\n"),
		Limit: b.Tokens, Period: b.Period}, b.Tokens > 0
}

// MoneyText describes the limit of money, such as "5 USD per month".
func (b Budget) MoneyText() string {
	return b.Amount.String() + " " + b.Currency + b.Period.text()
}

// TokenText describes the limit of tokens, such as "1000000 tokens per day".
func (b Budget) TokenText() string {
	return strconv.FormatInt(b.Tokens, 10) + " tokens" + b.Period.text()
}

func (p Period) text() string {
	if p == Total {
		return " in total"
	}
	return " per " + string(p)
}

// periods are the periods in errors.
const periods = "day, week, month or total"

// ParseMoney parses a limit of money such as "5USD/month" or "12.50 EUR/day".
func ParseMoney(text string) (Budget, error) {
	what, period, _ := strings.Cut(text, "/")
	number := strings.TrimRight(what, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	amount, err := money.Parse(strings.TrimSpace(number))
	b := Budget{Amount: amount, Currency: what[len(number):], Period: Period(period)}
	if _, wrong := b.Check(); err != nil || wrong != nil || b.Currency == "" {
		return Budget{}, fmt.Errorf("%q is not a budget; want one such as 5USD/month, per %s", text,
			periods)
	}
	return b, nil
}

// ParseTokens parses a limit of tokens such as "1000000/day".
func ParseTokens(text string) (Budget, error) {
	what, period, _ := strings.Cut(text, "/")
	tokens, err := strconv.ParseInt(strings.TrimSpace(what), 10, 64)
	b := Budget{Tokens: tokens, Period: Period(period)}
	if _, wrong := b.Check(); err != nil || wrong != nil {
		return Budget{}, fmt.Errorf("%q is not a budget of tokens; want one such as 1000000/day, per %s",
			text, periods)
	}
	return b, nil
}
