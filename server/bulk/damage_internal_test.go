package bulk

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// answered submits a job of 4 lines in 2 ranges, and answers all of them. The job has not ended.
func (s *swept) answered(id string) *workplace {
	s.t.Helper()
	s.submit(id, Submission{})
	w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(item *Item) error {
		return writeAll(item, len(item.Lines))
	})})
	for number := range 2 {
		s.try(w, id, number)
	}
	return w
}

func (s *swept) try(w *workplace, id string, number int) {
	s.t.Helper()
	if err := w.tryRange(s.t.Context(), s.t.Context().Done(), id, number); err != nil {
		s.t.Fatal(err)
	}
}

// loseAnswers removes the results of a range, as a damaged block loses them.
func (s *swept) loseAnswers(id string, number int) {
	s.t.Helper()
	if err := s.engine.Results.Purge(s.t.Context(), engine.SubjectResults+s.record(id).log()+"."+
		strconv.Itoa(number)+".>"); err != nil {
		s.t.Fatal(err)
	}
}

// loseRequests removes the lines of a range.
func (s *swept) loseRequests(id string, number int) {
	s.t.Helper()
	if err := s.engine.Lines.Purge(s.t.Context(),
		linesSubject(id, s.record(id).Generation, number)+".>"); err != nil {
		s.t.Fatal(err)
	}
}

// all reads results to their end.
func all(from io.ReadCloser, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer from.Close()
	text, err := io.ReadAll(from)
	return string(text), err
}

func TestResultsNeverPassAPartForTheWhole(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.answered("job")
	if text, err := all(s.Results(t.Context(), "job")); err != nil ||
		strings.Count(text, "\n") != 4 {
		t.Fatalf("before the damage: %v, %s", err, text)
	}
	s.loseAnswers("job", 1)
	text, err := all(s.Results(t.Context(), "job"))
	damage, ok := errors.AsType[*DamageError](err)
	if !ok || !errors.Is(err, ErrDamaged) || strings.Count(text, "\n") != 2 ||
		!strings.Contains(damage.Error(), "lines 3 to 4") {
		t.Errorf("after the damage: %v, %s", err, text)
	}
}

func TestAJobWithLostAnswersEndsAndRetriesOnlyThese(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.answered("job")
	s.loseAnswers("job", 0)
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	ended := s.record("job")
	if ended.State != Completed || ended.Counts.Completed != 2 || ended.Counts.Failed != 2 ||
		ended.DamagedLines != 2 || len(ended.Damage) != 1 ||
		ended.Damage[0].String() != "lines 1 to 2" {
		t.Fatalf("%+v", ended)
	}
	failed, err := all(s.Errors(t.Context(), "job"))
	if err != nil || strings.Count(failed, line.CodeDamaged) != 2 ||
		!strings.Contains(failed, "q-0") {
		t.Errorf("%v, %s", err, failed)
	}
	if _, err := s.Retry(t.Context(), "job",
		Submission{ID: "again", OnlyDamaged: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.prepareTask(t.Context(), "again"); err != nil {
		t.Fatal(err)
	}
	again, err := s.readLines(t.Context(), s.record("again"), 0)
	ids := slices.Collect(func(yield func(string) bool) {
		for _, l := range again {
			if !yield(l.CustomID) {
				return
			}
		}
	})
	if err != nil || !slices.Equal(ids, []string{"q-0", "q-1"}) {
		t.Errorf("%v, %v", ids, err)
	}
}

func TestLostRequestsEndAJobInsteadOfHoldingItForever(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	s.loseRequests("job", 0)
	w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(item *Item) error {
		return writeAll(item, len(item.Lines))
	})})
	s.try(w, "job", 0)
	s.try(w, "job", 1)
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	ended := s.record("job")
	if ended.State != Completed || ended.Counts.Completed != 2 || ended.Counts.Failed != 2 ||
		len(ended.Damage) != 1 || !ended.Damage[0].IsRequest ||
		ended.Damage[0].String() != "lines 1 to 2" {
		t.Errorf("%+v", ended)
	}
}

func TestALostEntryOfARunningRangeIsRequestedAgain(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	asked := 0
	w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(item *Item) error {
		asked += len(item.Lines)
		return writeAll(item, len(item.Lines))
	})})
	s.try(w, "job", 0)
	s.loseAnswers("job", 0)
	if err := s.boards.Drop(t.Context(), boardID("job", "*")); err != nil {
		t.Fatal(err)
	}
	s.try(w, "job", 0)
	if board, err := s.board(t.Context(), s.record("job")); err != nil || !board.Has(0) ||
		asked != 4 {
		t.Errorf("%+v, %v, %d lines were sent", board, err, asked)
	}
}

func TestADamagedBoardIsMadeAgainFromTheResults(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	w := s.answered("job")
	entry, err := s.engine.Jobs.Get(t.Context(), "board."+boardID("job",
		s.record("job").Generation))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Jobs.Put(t.Context(), entry.Key(), []byte("{"),
		entry.Revision()); err != nil {
		t.Fatal(err)
	}
	for number := range 2 {
		s.try(w, "job", number)
	}
	if board, err := s.board(t.Context(), s.record("job")); err != nil || board.Ranges() != 2 ||
		board.Completed != 4 {
		t.Errorf("%+v, %v", board, err)
	}
}

func TestADamagedJobIsNamedAndDeletedAndDoesNotStopOthers(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("good", Submission{})
	s.submit("bad", Submission{})
	entry, err := s.engine.Jobs.Get(t.Context(), "job.bad")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Jobs.Put(t.Context(), "job.bad", []byte("{"),
		entry.Revision()); err != nil {
		t.Fatal(err)
	}
	var found []string
	var damage error
	for job, err := range s.Jobs(t.Context(), Page{}) {
		if damage = err; err == nil {
			found = append(found, job.ID)
		}
	}
	if !slices.Equal(found, []string{"good"}) || !errors.Is(damage, ErrDamaged) ||
		!strings.Contains(damage.Error(), "job.bad") {
		t.Errorf("%v, %v", found, damage)
	}
	if err := s.sweep(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("sweep: %v", err)
	}
	if err := s.Delete(t.Context(), "bad"); err != nil || s.record("bad") != nil {
		t.Errorf("delete: %v", err)
	}
	if err := s.sweep(t.Context()); err != nil || s.record("good") == nil {
		t.Errorf("after the deletion: %v", err)
	}
}
