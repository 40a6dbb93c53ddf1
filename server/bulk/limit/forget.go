package limit

import (
	"context"
	"errors"
)

// Forget ends all pauses of the project that [Limiter.BackOff] and [Limiter.Exhaust] began, for
// this worker and in the ledger. Calls begin again at once, within the limits.
func (l *Limiter) Forget(ctx context.Context) error {
	l.resume.Store(0)
	l.quotaUntil.Store(0)
	if l.isUnlimited() {
		return nil
	}
	l.wake()
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	l.cached.register = nil
	if err := Forget(ctx, l.ledger, l.project); err != nil {
		return err
	}
	l.resume.Store(0) // a change before this one may have read them again
	l.quotaUntil.Store(0)
	return nil
}

// Forget ends the pauses of a project in a ledger. Workers that know of them keep them until their
// own [Limiter.Forget].
func Forget(ctx context.Context, ledger Ledger, project string) error {
	for {
		record, revision, err := ledger.Load(ctx, project)
		if err != nil {
			return err
		}
		r, err := readRegister(record)
		if err != nil {
			return err
		}
		if r.resume == 0 && r.quotaUntil == 0 {
			return nil
		}
		r.resume, r.quotaUntil = 0, 0
		_, err = ledger.Store(ctx, project, r.appendRecord(nil), revision)
		if !errors.Is(err, ErrChanged) {
			return err
		}
		if err := sleep(ctx, contention(2), nil); err != nil {
			return err
		}
	}
}
