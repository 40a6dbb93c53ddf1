package batch

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/heapgrowth"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

const runHelp = `Answer the requests of a file, and write the answers to another file, in the same order.

All lines are checked first. If any is invalid, each invalid line is named with its reason,
and nothing is sent. Answers are on the disk within about 100 ms. Ctrl-C finishes the calls in flight and parks
the job. After that, or after any other end of the process, the same command continues the
job. Each line has exactly one answer. If the process is killed, its calls in flight are made
again; the last line of the output says how many calls that may be.

The file of --out appears when all lines are done. Failed lines go to a second file,
answers.errors.jsonl for answers.jsonl, and the exit code is then 1. If --out ends with .csv or
.tsv, the file is the table of --variables with the answers in further columns.

If a request asks for JSON by a schema, its answer is checked. A line whose answer does not fit
is sent again (--schema-retries), and fails if the next answer does not fit either.

Lines are {"custom_id", "method", "url", "body"} as for OpenAI's batches, with the url
/v1/chat/completions, /v1/responses, /v1/embeddings or /v1/messages, or {"key", "request"}
as for Gemini's. Each line may have its own model, unless --model replaces it.

FILE may be compressed (.gz), or - for standard input.

The upstream is configured as for a gateway (docs/gateway.md). With a key in GEMINI_API_KEY
the Gemini API answers, and without a key the built-in fake server.`

const runExamples = `  gemwire batch run examples/batch/questions.jsonl --out answers.jsonl
  gemwire batch run questions.jsonl --out answers.jsonl -m ` + models.Default + ` --limit-requests 600
  gemwire batch run questions.jsonl --out answers.jsonl --batch-mode gemini
  gemwire batch run --template kind.json --variables reviews.csv --out kind.jsonl
  gemwire batch run questions.jsonl --out answers.jsonl --max-cost 5USD`

// run has the flags of run.
type run struct {
	*session
	input      input
	submission submission
	answering  answering
	store      store
	out        output
	maxCost    maxCost
	reuse      bool   // the answers of an unfinished job that writes to the same file
	isNew      bool   // although an unfinished job writes to the same file
	merged     family // the job and retries whose file a retry continues, nil for none
}

func newRun() *cobra.Command {
	var r run
	cmd := &cobra.Command{
		Use:                   "run [flags] FILE --out FILE",
		Short:                 "Answer the requests of a file, or continue with it",
		Long:                  runHelp,
		Example:               runExamples,
		Args:                  cobra.MaximumNArgs(1),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.session = newSession(cmd)
			r.showsPauses = true
			r.input.stdin = cmd.InOrStdin()
			return r.fail(cmd.Context(), r.execute(cmd.Context(), args))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&r.out.path, "out", "", "write the answers to this `FILE`")
	flags.BoolVar(&r.reuse, "reuse", false,
		"reuse the answers of an unfinished job with the same --out to the same requests")
	flags.BoolVar(&r.isNew, "new", false,
		"start a new job, although an unfinished one has the same --out")
	flags.Var(&r.maxCost, "max-cost",
		"stop before the job costs more than this `AMOUNT`, such as 5USD")
	r.input.addFlags(flags)
	r.submission.addFlags(flags)
	r.store.addFlags(flags)
	r.store.addKeep(flags)
	r.answering.addFlags(flags)
	return cmd
}

var errNoBatchMode = usageError{errors.New("--batch-mode gemini needs the Gemini API as the upstream")}

var errNoOut = usageError{errors.New("--out must be set to the file for the answers")}

func (r *run) execute(ctx context.Context, args []string) error {
	if r.out.path == "" {
		return errNoOut
	}
	if err := errors.Join(r.submission.check(), r.answering.load()); err != nil {
		return err
	}
	if r.submission.mode == modeGemini && !hasBatchMode(r.answering.settings.Service()) {
		return errNoBatchMode
	}
	if err := r.input.take(ctx, args); err != nil {
		return err
	}
	file, size, err := r.input.open(ctx)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := r.checkOut(ctx, file); err != nil {
		return err
	}
	defer heapgrowth.Keep(heapgrowth.Job)()
	r.answering.noteFake(r.session)
	if err := r.answering.observe(ctx, r.session, false); err != nil {
		return err
	}
	defer r.answering.observers.Close()
	r.store.observers, r.store.logger = r.answering.observers.Jobs, r.logger()
	return r.store.with(ctx, func(service *bulk.Service) error {
		job, err := r.find(ctx, service, file, size)
		if err != nil {
			return err
		}
		return r.finish(ctx, service, job)
	})
}

// checkOut fails if the answers would overwrite the requests, or cannot be written.
func (r *run) checkOut(ctx context.Context, in *os.File) error {
	own, err := in.Stat()
	if err != nil {
		return err
	}
	if source, err := os.Stat(r.input.path); err == nil {
		own = source // in is a temporary copy of it, or the same
	}
	for _, path := range []string{r.out.path, r.out.errorsPath()} {
		if other, err := os.Stat(path); err == nil && os.SameFile(own, other) {
			return usageError{errors.New("--out: the answers would overwrite the requests")}
		}
	}
	return r.out.check(ctx)
}

// find returns the job of the command, and makes it if it does not exist.
func (r *run) find(ctx context.Context, service *bulk.Service, file *os.File,
	size int64) (*bulk.Job, error) {
	id, err := r.input.identity(process.NewReader(ctx, file), r.out.path,
		r.submission.distinguishing(r.answering.service())...)
	if err != nil {
		return nil, err
	}
	job, err := service.Job(ctx, id)
	if _, isNew := errors.AsType[*bulk.NotFoundError](err); err != nil && !isNew {
		return nil, err
	}
	var metadata map[string]string
	switch {
	case job == nil:
		if metadata, err = r.checkNew(ctx, service); err != nil {
			return nil, err
		}
	case job.State == bulk.Validating: // which was cut off
		metadata = job.Metadata
	case job.State == bulk.Failed: // as an input that was wrong is, if the command was killed then
		if err := service.Delete(ctx, id); err != nil {
			return nil, err
		}
		metadata = job.Metadata
	default:
		return job, r.noteFound(ctx, service, job)
	}
	return submit(ctx, r.session, service, &r.input, file, size,
		func(content io.Reader) bulk.Submission {
			submission := r.submission.of(&r.input, id, content, r.answering.service())
			submission.Own, submission.Metadata = true, metadata
			if r.submission.mode == modeGemini && r.maxCost.amount > 0 {
				submission.RangeLines = cautiousRange
			}
			return submission
		})
}

// noteFound notes that the job already exists.
func (r *run) noteFound(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
	when := job.CreatedAt.Local().Format("Jan 2 15:04")
	if job.State.Ended() {
		r.note("the job of %s has ended already (%s)", when, job.State)
		return nil
	}
	p, err := service.Progress(ctx, job.ID)
	if err != nil {
		return err
	}
	r.note("continuing the job of %s: %d of %d lines are done", when, p.Counts.Done(),
		p.Counts.Total)
	if job.Parking != nil {
		r.note("it was %s; it continues now", parkingWords(job.Parking))
		_, err = service.Resume(ctx, job.ID)
	}
	return err
}

// finish works at a job until it has ended, and writes its results.
func (r *run) finish(ctx context.Context, service *bulk.Service, job *bulk.Job) error {
	wasEnded := job.State.Ended()
	if !wasEnded {
		var err error
		if job, err = r.work(ctx, service, job); err != nil {
			return err
		}
	}
	of, err := r.familyOf(ctx, service, job)
	if err != nil {
		return err
	}
	isWritten := false
	if wasEnded {
		if isWritten, err = r.out.isWritten(ctx, service, of); err != nil {
			return err
		}
	}
	if !isWritten {
		if err := r.out.write(ctx, service, of, &r.input); err != nil {
			return err
		}
	}
	r.sum(job, of)
	return exitOf(of)
}

// familyOf returns the jobs whose results the output files have.
func (r *run) familyOf(ctx context.Context, service *bulk.Service, job *bulk.Job) (family, error) {
	if r.merged == nil {
		return familyOf(ctx, service, job, r.out.path)
	}
	if slices.ContainsFunc(r.merged, func(other *bulk.Job) bool { return other.ID == job.ID }) {
		return r.merged, nil
	}
	return append(slices.Clip(r.merged), job), nil
}

// exitOf returns [process.ErrFailed] for jobs with unanswered lines.
func exitOf(of family) error {
	if newest := of[len(of)-1]; newest.State != bulk.Completed || of.failed() > 0 {
		return process.ErrFailed
	}
	return nil
}

// work works at a job, shows its progress, and returns the job when it has ended.
func (r *run) work(ctx context.Context, service *bulk.Service, job *bulk.Job) (*bulk.Job, error) {
	id := job.ID
	spending, err := r.budget(ctx, service, id)
	if err != nil {
		return nil, err
	}
	r.answering.budget, r.answering.liveOnly = spending, job.Executor == bulk.ExecutorLive
	w, err := r.answering.worker(ctx, r.session, service, id,
		func(job *bulk.Job) bool { return job.ID == id })
	if err != nil {
		return nil, err
	}
	defer w.close()
	if earlier := job.Metadata[metadataReuse]; earlier != "" {
		answers, err := readReused(ctx, service, earlier)
		if err != nil {
			return nil, err
		}
		answers.in(w.work.Executors)
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	if spending != nil {
		defer context.AfterFunc(watching, stop)()
		observed := make(chan struct{})
		go func() {
			defer close(observed)
			r.observeOthers(watching, service, id, spending)
		}()
		defer func() {
			stopWatching()
			<-observed
		}()
		go func() {
			select {
			case <-spending.Reached():
				stopWatching()
			case <-watching.Done():
			}
		}()
	}
	worked := make(chan error, 1)
	go func() {
		worked <- w.run(working)
		stopWatching()
	}()
	job, err = r.watch(watching, service, id)
	stop()
	if ctx.Err() != nil {
		r.note("stopping; waiting for the calls in flight")
	}
	if failed := <-worked; failed != nil {
		return nil, r.explain(failed)
	}
	if ctx.Err() != nil {
		return nil, r.park(ctx, service, id)
	}
	if spending != nil && spending.Err() != nil && (job == nil || !job.State.Ended()) {
		return nil, r.stopAtCost(ctx, service, id, spending.Err())
	}
	if over, isOver := errors.AsType[*budgetError](err); isOver {
		return nil, r.stopAtBudget(ctx, service, id, over)
	}
	return job, err
}

// watch shows the progress of a job until it has ended.
func (r *run) watch(ctx context.Context, service *bulk.Service, id string) (*bulk.Job, error) {
	d := newDisplay(r.session)
	defer d.end()
	var job *bulk.Job
	for p, err := range service.Watch(ctx, id) {
		if err != nil {
			return nil, err
		}
		d.show(p)
		job = &p.Job
		if job.Parking == nil {
			continue
		}
		if job.Parking.Reason == geminibatch.ReasonLive {
			return nil, errFallback
		}
		if why, isBudget := strings.CutPrefix(job.Parking.Reason, live.ReasonBudget); isBudget {
			return nil, &budgetError{why}
		}
	}
	return job, nil
}

var errFallback = errors.New(geminibatch.ReasonLive +
	"; run the same command with --fallback-live to make them, or cancel the job to keep its answers")

// explain says what to do about a store that cannot be written.
func (r *run) explain(err error) error {
	if storage, ok := errors.AsType[*bulk.StorageError](err); ok {
		r.note("%s; nothing is lost; run the same command again when this is fixed",
			errortext.WithoutPackage(storage.Error()))
		return process.ErrFailed
	}
	return err
}

// parkTime is the time limit for reading an interrupted job's state.
const parkTime = 5 * time.Second

// park prints the progress of an interrupted job, and how to continue.
func (r *run) park(ctx context.Context, service *bulk.Service, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), parkTime)
	defer cancel()
	p, err := service.Progress(ctx, id)
	if err != nil {
		return err
	}
	r.note("parked: %d of %d lines are done; run the same command to continue", p.Counts.Done(),
		p.Counts.Total)
	if p.Job.Parking != nil {
		r.note("it was %s", parkingWords(p.Job.Parking))
	}
	return process.ErrFailed
}

// sum prints the outcome of a job.
func (r *run) sum(job *bulk.Job, of family) {
	if job.State != bulk.Completed {
		r.note("the job is %s", job.State)
	}
	words := usageWords(job.Usage)
	if job.Counts.Repeated > 0 {
		words = append(words, repeatedWords(job))
	}
	text := message.Count(job.Counts.Completed, "answer")
	if r.merged != nil {
		text += " merged"
	}
	if len(words) > 0 {
		text += ": " + strings.Join(words, ", ")
	}
	if job.Counts.Completed > 0 {
		text = r.out.path + ": " + text
	}
	r.note("%s", text)
	for _, words := range damageWords(job) {
		r.note("%s", words)
	}
	if job.DamagedLines > 0 {
		r.note("request them again with gemwire batch retry --damaged %s --out %s", job.ID,
			r.out.path)
	}
	if failed := of.failed(); failed > 0 {
		newest := of[len(of)-1]
		r.note("%s: %s%s; to retry them and merge their answers: gemwire batch retry %s --out %s",
			r.out.errorsPath(), message.Count(failed, "line")+" failed", kinds(newest.Failures),
			newest.ID, r.out.path)
	}
}

func repeatedWords(job *bulk.Job) string {
	text := "up to " + message.Count(job.Counts.Repeated, "call") + " repeated"
	if job.Counts.RepeatedCost > 0 {
		text += " for " + formatCost(job.Counts.RepeatedCost, job.Usage.Currency)
	}
	return text
}
