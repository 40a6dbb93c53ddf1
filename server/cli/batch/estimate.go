package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/bulk/estimate"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
)

const estimateHelp = `Estimate the tokens, cost and time of the requests in a file. The tokens are counted on this
machine, the cost comes from the rate card, and the time from the given limits. Nothing is
sent.

The lines are checked as by run. The length of the answers is unknown. Without
--output-tokens each answer counts as long as its request allows, if the request has a limit.`

const estimateExamples = `  gemwire batch estimate examples/batch/questions.jsonl
  gemwire batch estimate reviews.jsonl -m ` + models.Default + ` --output-tokens 300 --limit-requests 600`

// estimating has the flags of estimate.
type estimating struct {
	*session
	input        input
	source       setup.Sources
	limits       limit.Limits
	mode         string
	outputTokens int
	output       string
}

func newEstimate() *cobra.Command {
	var e estimating
	cmd := &cobra.Command{
		Use:                   "estimate [flags] FILE",
		Short:                 "Estimate the tokens, cost and time of a file of requests",
		Long:                  estimateHelp,
		Example:               estimateExamples,
		Args:                  cobra.MaximumNArgs(1),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			e.session = newSession(cmd)
			e.input.stdin = cmd.InOrStdin()
			return e.fail(cmd.Context(), e.execute(cmd.Context(), args))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	e.input.addFlags(flags)
	flags.IntVar(&e.outputTokens, "output-tokens", 0,
		"expected `TOKENS` of an answer, with thoughts")
	flags.StringVar(&e.mode, "batch-mode", modeLive,
		"price `MODE`: live or gemini")
	addLimitFlags(flags, &e.limits)
	listing.AddOutputFlag(cmd, &e.output)
	e.source.AddFlags(flags, "upstream", "vertex", "alias", "rate_card")
	return cmd
}

func (e *estimating) execute(ctx context.Context, args []string) error {
	asJSON, err := listing.ParseOutput(e.output)
	if err != nil {
		return usageError{err}
	}
	if err := errors.Join((&submission{priority: "normal", mode: e.mode, window: 1}).check(),
		checkLimits(e.limits)); err != nil {
		return err
	}
	settings, err := e.source.Load()
	if err != nil {
		return err
	}
	if err := e.input.take(ctx, args); err != nil {
		return err
	}
	s, err := e.sum(ctx, settings)
	if err != nil {
		return err
	}
	if asJSON {
		return listing.WriteJSON(e.stdout, []*sum{s})
	}
	return s.print(e.stdout, e.input.path)
}

// sum is the total of an input's lines.
type sum struct {
	Lines        int64  `json:"lines"`
	Endpoint     string `json:"endpoint"`
	Model        string `json:"model"`
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	// Unlimited counts the lines without a limit on their answer. OutputTokens does not include
	// them.
	Unlimited int64 `json:"unlimited_lines"`
	// InputCost and OutputCost are in Currency, which is "" without a price. Source names the
	// price.
	InputCost  float64 `json:"input_cost"`
	OutputCost float64 `json:"output_cost"`
	Currency   string  `json:"currency,omitzero"`
	Source     string  `json:"source,omitzero"`
	// Seconds is the minimum time under the limits, or 0 without limits.
	Seconds float64 `json:"seconds,omitzero"`

	forms    transform.Forms
	isGiven  bool   // whether the tokens of an answer were given
	unpriced string // why there is no price
}

// sum reads all lines.
func (e *estimating) sum(ctx context.Context, settings *config.Config) (*sum, error) {
	file, size, err := e.input.open(ctx)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	prices, err := pricesOf(settings, e.mode, clock.Now())
	if err != nil {
		return nil, err
	}
	bar := newBar(e.stderr, size,
		progressbar.OptionSetDescription(fit([]string{"counting " + e.input.path},
			process.Columns(e.stderr)-bytesRoom)), progressbar.OptionShowBytes(true))
	defer bar.Clear()
	content := progressbar.NewReader(process.NewReader(ctx, file), bar)
	reader, err := e.input.reader(&content, line.WithReport(func(p line.Problem) {
		fmt.Fprintf(e.stderr, "gemwire: %s\n", message.Escape(e.input.path+": "+p.String()))
	}))
	if err != nil {
		return nil, err
	}
	s := &sum{isGiven: e.outputTokens > 0, forms: e.input.forms}
	for l, err := range reader.Lines() {
		if _, isInvalid := errors.AsType[*line.InputError](err); isInvalid {
			return nil, process.ErrFailed
		}
		if err != nil {
			return nil, err
		}
		model := l.Model()
		if alias, isAlias := settings.Alias[model]; isAlias {
			model = alias
		}
		if err := s.add(&l, model, e.outputTokens, prices); err != nil {
			return nil, &fileError{e.input.path, err}
		}
	}
	s.Endpoint, s.Model, s.Lines = reader.Endpoint(), strings.Join(reader.Models(), ", "),
		int64(reader.Count())
	s.Seconds = leastTime(s, e.limits).Seconds()
	return s, nil
}

// prices are the token prices of a job.
type prices struct {
	card *ratecard.Card
	call ratecard.Call // without a model and usage
}

func pricesOf(settings *config.Config, mode string, at time.Time) (*prices, error) {
	p := &prices{card: ratecard.Google(), call: ratecard.Call{Surface: ratecard.GeminiAPI, At: at}}
	if settings.Service() == gateway.VertexAI {
		p.call.Surface = ratecard.VertexAI
	}
	if settings.Location != "" {
		p.call.Location = settings.Location
	}
	if mode == modeGemini {
		p.call.Tier = ratecard.Batch
	}
	if settings.RateCard == "" {
		return p, nil
	}
	own, err := ratecard.ReadFile(settings.RateCard)
	if err != nil {
		return nil, err
	}
	p.card = p.card.With(own)
	return p, nil
}

// add adds a line.
func (s *sum) add(l *line.Line, model string, outputTokens int, prices *prices) error {
	tokens, err := estimate.Of(l, model, estimate.WithForms(s.forms))
	if err != nil {
		return fmt.Errorf("line %d: %w", l.Number, err)
	}
	hasAnswer := !strings.HasSuffix(l.URL, "/embeddings")
	switch {
	case !hasAnswer:
		tokens.MaxOutput = 0
	case outputTokens > 0:
		tokens.MaxOutput = outputTokens * tokens.Answers
	case tokens.MaxOutput == 0:
		s.Unlimited++
	}
	s.InputTokens += int64(tokens.Input)
	s.OutputTokens += int64(tokens.MaxOutput)
	s.InputCost += s.price(prices, model, normalize.Usage{InputTokens: tokens.Input})
	s.OutputCost += s.price(prices, model, normalize.Usage{OutputTokens: tokens.MaxOutput})
	return nil
}

// price returns the cost of tokens, or 0 if it is unknown.
func (s *sum) price(prices *prices, model string, usage normalize.Usage) float64 {
	if s.unpriced != "" || usage.InputTokens+usage.OutputTokens == 0 {
		return 0
	}
	call := prices.call
	call.Model, call.Usage = model, usage
	cost, err := prices.card.Cost(call)
	if err != nil {
		s.unpriced = errortext.WithoutPackage(err.Error())
		return 0
	}
	s.Currency, s.Source = cost.Currency, cost.Source
	return cost.Amount
}

// leastTime returns the minimum time for the lines under the limits per minute.
func leastTime(s *sum, limits limit.Limits) time.Duration {
	minutes := 0.0
	for _, l := range []struct{ count, limit int64 }{
		{s.Lines, limits.Requests}, {s.InputTokens, limits.TokensIn},
		{s.OutputTokens, limits.TokensOut},
	} {
		if l.limit > 0 {
			minutes = max(minutes, float64(l.count)/float64(l.limit))
		}
	}
	return time.Duration(minutes * float64(time.Minute))
}

// print prints the sum for people.
func (s *sum) print(out io.Writer, path string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s for %s\n", path, message.Count(s.Lines, "line"), s.Endpoint,
		s.Model)
	fmt.Fprintf(&b, "tokens in:  about %s\n", formatCount(s.InputTokens))
	switch {
	case s.isGiven:
		fmt.Fprintf(&b, "tokens out: %s, as given\n", formatCount(s.OutputTokens))
	case s.Unlimited > 0:
		fmt.Fprintf(&b, "tokens out: unknown, because %s no limit; set --output-tokens to the expected length\n",
			setWords(s.Unlimited))
	default:
		fmt.Fprintf(&b, "tokens out: at most %s\n", formatCount(s.OutputTokens))
	}
	switch {
	case s.unpriced != "":
		fmt.Fprintf(&b, "cost:       unknown: %s\n", s.unpriced)
	case s.Currency == "":
		b.WriteString("cost:       nothing, because there are no tokens\n")
	case s.Unlimited > 0:
		fmt.Fprintf(&b, "cost:       %s for the tokens in (%s)\n",
			formatCost(s.InputCost, s.Currency), s.Source)
	default:
		fmt.Fprintf(&b, "cost:       %s (%s)\n", formatCost(s.InputCost+s.OutputCost, s.Currency),
			s.Source)
	}
	if s.Seconds > 0 {
		fmt.Fprintf(&b, "time:       at least %s, by the limits\n",
			formatTime(time.Duration(s.Seconds*float64(time.Second))))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func setWords(n int64) string {
	if n == 1 {
		return "1 line sets"
	}
	return fmt.Sprintf("%d lines set", n)
}
