package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

// look has the flags of commands about one job.
type look struct {
	*session
	store  store
	output string
	asJSON bool
	byID   bool // the id is required, and the job is not read before
	// runs before the store is opened; may be nil
	begin func(ctx context.Context) error
}

// lookHelp is part of the help of every command that takes a job id.
const lookHelp = " Without an ID it is the newest job."

// newLook returns a command that does something with one job.
func newLook(use, short, long string, l *look,
	do func(ctx context.Context, service *bulk.Service, job *bulk.Job) error) *cobra.Command {
	cmd := &cobra.Command{
		Use: use + " [flags] [ID]", Short: short, Long: long + lookHelp,
		Args: cobra.MaximumNArgs(1), DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			l.session = newSession(cmd)
			l.store.logger = l.logger()
			if l.asJSON, err = listing.ParseOutput(l.output); err != nil {
				return err
			}
			ctx := cmd.Context()
			if l.begin != nil {
				if err := l.begin(ctx); err != nil {
					return l.fail(ctx, err)
				}
			}
			return l.fail(ctx, l.store.with(ctx, func(service *bulk.Service) error {
				id := strings.Join(args, "")
				if l.byID {
					return do(ctx, service, &bulk.Job{ID: id})
				}
				job, err := find(ctx, service, id)
				if err != nil {
					return err
				}
				return do(ctx, service, job)
			}))
		},
	}
	if l.byID {
		cmd.Use, cmd.Long, cmd.Args = use+" [flags] ID", long, cobra.ExactArgs(1)
	}
	cmd.Flags().SortFlags = false
	l.store.addFlags(cmd.Flags())
	l.output = "text"
	return cmd
}

func newStatus() *cobra.Command {
	var l look
	cmd := newLook("status", "Show the state of a job",
		"Show the state of a job, also while another process works on it.", &l,
		func(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
			p, err := service.Progress(ctx, job.ID)
			if err != nil {
				return err
			}
			workers, err := service.Workers(ctx, job.ID)
			if err != nil {
				return err
			}
			if l.asJSON {
				row := rowOf(p)
				row.Workers = workers
				return listing.WriteJSON(l.stdout, []jobRow{row})
			}
			return errors.Join(printStatus(l.stdout, p), printWorkers(l.stdout, &p.Job, workers))
		})
	listing.AddOutputFlag(cmd, &l.output)
	return cmd
}

// printWorkers prints who works at a job.
func printWorkers(out io.Writer, job *bulk.Job, workers []bulk.Working) error {
	var b strings.Builder
	for _, worker := range workers {
		fmt.Fprintf(&b, "  %s works at %s, since %s\n", worker.Name,
			message.Count(worker.Lines, "line"), worker.Since.Local().Format("Jan 2 15:04:05"))
	}
	if len(workers) == 0 && job.State == bulk.InProgress && job.Parking == nil {
		b.WriteString("  no process works at it now\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func newWatch() *cobra.Command {
	var l look
	return newLook("watch", "Show the progress of a job until it has ended",
		"Show the progress of a job until it has ended. The exit code is 1 if not all lines are answered.",
		&l,
		func(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
			d := newDisplay(l.session)
			defer d.end()
			var last bulk.Progress
			for p, err := range service.Watch(ctx, job.ID) {
				if err != nil {
					return err
				}
				d.show(p)
				last = p
			}
			d.end()
			if ctx.Err() != nil {
				return process.ErrFailed
			}
			if err := printStatus(l.stdout, last); err != nil {
				return err
			}
			return exitOf(family{&last.Job})
		})
}

const listHelp = `List the jobs of a store, the newest first.`

func newList() *cobra.Command {
	var l look
	cmd := &cobra.Command{
		Use: "list [flags]", Short: "List the jobs", Long: listHelp, Args: cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			l.session = newSession(cmd)
			l.store.logger = l.logger()
			if l.asJSON, err = listing.ParseOutput(l.output); err != nil {
				return err
			}
			ctx := cmd.Context()
			return l.fail(ctx,
				l.store.with(ctx,
					func(service *bulk.Service) error { return l.list(ctx, service) }))
		},
	}
	cmd.Flags().SortFlags = false
	l.store.addFlags(cmd.Flags())
	listing.AddOutputFlag(cmd, &l.output)
	return cmd
}

func (l *look) list(ctx context.Context, service *bulk.Service) error {
	rows := []jobRow{}
	var damaged error
	for job, err := range service.Jobs(ctx, bulk.Page{}) {
		if err != nil && !errors.Is(err, bulk.ErrDamaged) {
			return err
		}
		if err != nil {
			damaged = err
			continue
		}
		rows = append(rows, rowOf(bulk.Progress{Job: *job, Counts: job.Counts, Usage: job.Usage}))
	}
	if l.asJSON {
		return errors.Join(listing.WriteJSON(l.stdout, rows), damaged)
	}
	table := tabwriter.NewWriter(l.stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%d of %d\t%d failed\t%s\t%s\t%s\t%s\n",
			row.ID, row.State, row.Completed+row.Failed, row.Total, row.Failed, row.models(),
			row.CreatedAt.Local().Format("Jan 2 15:04"), dash(row.Input), dash(row.Output))
	}
	return errors.Join(table.Flush(), damaged)
}

// jobRow is a job in the output for programs.
type jobRow struct {
	ID           string           `json:"id"`
	State        bulk.State       `json:"state"`
	Parked       *bulk.Parking    `json:"parked,omitzero"`
	Model        string           `json:"model"`
	Models       []string         `json:"models,omitempty"` // if there are several
	Endpoint     string           `json:"endpoint"`
	Executor     string           `json:"executor"`
	Priority     bulk.Priority    `json:"priority"`
	CreatedAt    time.Time        `json:"created_at"`
	EndedAt      time.Time        `json:"ended_at,omitzero"`
	ExpiresAt    time.Time        `json:"expires_at,omitzero"`
	Total        int64            `json:"total"`
	Completed    int64            `json:"completed"`
	Failed       int64            `json:"failed"`
	Repeated     int64            `json:"repeated"`
	Failures     map[string]int64 `json:"failures,omitzero"`
	InputTokens  int64            `json:"input_tokens"`
	OutputTokens int64            `json:"output_tokens"`
	Cost         float64          `json:"cost"`
	Currency     string           `json:"currency,omitzero"`
	RetryOf      string           `json:"retry_of,omitzero"`
	// Input and Output are paths, or "" if they are unknown.
	Input  string `json:"input,omitzero"`
	Output string `json:"output,omitzero"`
	// Workers are the processes that work at it, as status finds them.
	Workers []bulk.Working `json:"workers,omitempty"`
}

// models returns the model, and the number of the others.
func (r *jobRow) models() string {
	if len(r.Models) < 2 {
		return r.Model
	}
	return fmt.Sprintf("%s and %d more", r.Model, len(r.Models)-1)
}

func rowOf(p bulk.Progress) jobRow {
	job := &p.Job
	return jobRow{
		ID: job.ID, State: job.State, Parked: job.Parking, Model: job.Model, Models: job.Models,
		Endpoint: job.Endpoint,
		Executor: job.Executor,
		Priority: job.Priority, CreatedAt: job.CreatedAt, EndedAt: job.EndedAt(),
		ExpiresAt: job.ExpiresAt,
		Total:     p.Counts.Total, Completed: p.Counts.Completed, Failed: p.Counts.Failed,
		Repeated: p.Counts.Repeated, Failures: job.Failures,
		InputTokens: p.Usage.InputTokens, OutputTokens: p.Usage.OutputTokens, Cost: p.Usage.Cost,
		Currency: p.Usage.Currency,
		RetryOf:  job.RetryOf,
		Input:    job.Metadata[metadataInput], Output: job.Metadata[metadataOutput],
	}
}

// printStatus prints the state of a job for people.
func printStatus(out io.Writer, p bulk.Progress) error {
	job := &p.Job
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", job.ID, job.State)
	fmt.Fprintf(&b, "  %s by %s, submitted %s\n",
		cmp.Or(strings.Join(job.Models, ", "), job.Model), job.Endpoint,
		job.CreatedAt.Local().Format("Jan 2 15:04:05"))
	fmt.Fprintf(&b, "  %d of %d lines, %d failed%s\n", p.Counts.Done(), p.Counts.Total,
		p.Counts.Failed, kinds(p.Failures))
	if words := usageWords(p.Usage); len(words) > 0 {
		fmt.Fprintf(&b, "  %s\n", strings.Join(words, ", "))
	}
	if job.Counts.Repeated > 0 {
		fmt.Fprintf(&b, "  %s\n", repeatedWords(job))
	}
	if job.Parking != nil {
		fmt.Fprintf(&b, "  %s\n", parkingWords(job.Parking))
	}
	for _, problem := range job.Problems {
		fmt.Fprintf(&b, "  %s\n", problem)
	}
	for _, words := range damageWords(job) {
		fmt.Fprintf(&b, "  %s\n", words)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// damageWords says which lines were lost in a damaged store.
func damageWords(job *bulk.Job) []string {
	words := make([]string, len(job.Damage))
	for i, d := range job.Damage {
		words[i] = "the store was damaged: the answers of " + d.String() + " are lost"
		if d.IsRequest {
			words[i] = "the store was damaged: the requests of " + d.String() + " are lost"
		}
		if d.Reason != "" {
			words[i] += ": " + d.Reason
		}
	}
	return words
}

// dash returns a path, or "-" for none.
func dash(path string) string { return cmp.Or(path, "-") }
