package batch

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/quota/ledger"
	"github.com/gemwire/gemwire/server/usage"
)

// spent counts the live calls of a worker in the store of its jobs. A gateway with the same store
// counts there too, so both share the budget of all keys.
type spent struct {
	quota *quota.Quota
	usage *usage.Book
	*session
}

func (a *answering) openSpending(ctx context.Context, s *session,
	service *bulk.Service) (*spent, error) {
	store := service.Engine()
	book, err := usage.Open(ctx, usage.In(store), usage.WithDays(a.settings.UsageDays))
	if err != nil {
		return nil, err
	}
	opts := []quota.Option{quota.On(ledger.OnEngine(store))}
	if a.settings.RefusesWithoutStore() {
		opts = append(opts, quota.RefuseWithoutLedger())
	}
	return &spent{quota.New(opts...), book, s}, nil
}

// closeTime is the time limit of the last write.
const closeTime = 10 * time.Second

// close writes the last numbers.
func (s *spent) close() {
	s.quota.Close()
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := s.usage.Close(ctx); err != nil {
		s.note("the usage of the last second is lost: %s", errortext.WithoutPackage(err.Error()))
	}
}

// budgetError reports that a budget of the gateway permits no more lines.
type budgetError struct{ why string }

// Error returns the reason.
func (e *budgetError) Error() string { return e.why }

// stopAtBudget prints why a job stopped before its end, and how to continue.
func (r *run) stopAtBudget(ctx context.Context, service *bulk.Service, id string,
	why *budgetError) error {
	p, err := service.Progress(ctx, id)
	if err != nil {
		return err
	}
	r.note("stopped: %s; %d of %d lines are done; to continue, run the same command when the "+
		"budget permits it", why, p.Counts.Done(), p.Counts.Total)
	return process.ErrFailed
}
