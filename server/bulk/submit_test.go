package bulk_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestNothingOfAnInputWithBadLinesIsRunAndAllAreNamed(t *testing.T) {
	t.Parallel()
	service := open(t)
	asked := &answerer{}
	work(t, service, live(asked))
	input := questions(3) + "{\n" + questions(1) + questions(5) + "[]\n"
	job, err := service.Submit(t.Context(),
		bulk.Submission{Input: strings.NewReader(input), RangeLines: 2})
	var wrong *line.InputError
	if !errors.As(err, &wrong) {
		t.Fatalf("error %v; expected an *line.InputError", err)
	}
	if job.State != bulk.Failed || job.FailedAt.IsZero() || job.ProblemCount != wrong.Total {
		t.Errorf("job: %+v", job)
	}
	var lines []int
	for problem, err := range service.Problems(t.Context(), job.ID) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, problem.Line)
	}
	// Line 5, and the first three of the last questions, repeat the ids of other lines.
	if want := []int{4, 5, 6, 7, 8, 11}; !equal(lines, want) {
		t.Errorf("problems of lines %v; expected %v", lines, want)
	}
	if len(asked.asked) != 0 {
		t.Errorf("asked: %v", asked.asked)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestAFileIsCheckedByAWorkerAndSubmitDoesNotWait(t *testing.T) {
	t.Parallel()
	service := open(t)
	file, err := service.PutFile(t.Context(),
		bulk.File{Name: "in.jsonl", Purpose: bulk.PurposeBatch}, strings.NewReader(questions(20)))
	if err != nil {
		t.Fatal(err)
	}
	job := submit(t, service, bulk.Submission{InputFile: file.ID, Endpoint: "/v1/chat/completions"})
	if job.State != bulk.Validating || job.Counts.Total != 0 {
		t.Fatalf("submitted: %+v", job)
	}
	work(t, service, live(&answerer{}))
	await(t, service, job.ID, bulk.Completed)
	expectAll(t, results(t, service, job.ID), 0, 20)

	wrong := submit(t, service, bulk.Submission{InputFile: file.ID, Endpoint: "/v1/embeddings"})
	failed := await(t, service, wrong.ID, bulk.Failed)
	if failed.ProblemCount != 20 || failed.Problems[0].Code != line.CodeURLMismatch {
		t.Errorf("problems: %d, %v", failed.ProblemCount, failed.Problems[0])
	}
}

func TestAJobWhoseFileIsDeletedBeforeItIsCheckedFails(t *testing.T) {
	t.Parallel()
	service := open(t)
	file, err := service.PutFile(t.Context(), bulk.File{Name: "in.jsonl"},
		strings.NewReader(questions(20)))
	if err != nil {
		t.Fatal(err)
	}
	job := submit(t, service, bulk.Submission{InputFile: file.ID})
	if err := service.DeleteFile(t.Context(), file.ID); err != nil {
		t.Fatal(err)
	}
	work(t, service, bulk.Worker{})
	if failed := await(t, service, job.ID,
		bulk.Failed); failed.Problems[0].Code != bulk.CodeNoInput {
		t.Errorf("problems: %v", failed.Problems)
	}
}

func TestSubmittingTheSameNameTwiceGivesTheSameJob(t *testing.T) {
	t.Parallel()
	service := open(t)
	first := submit(t, service,
		bulk.Submission{ID: "digest-1", Input: strings.NewReader(questions(5))})
	second := submit(t, service,
		bulk.Submission{ID: "digest-1", Input: strings.NewReader(questions(7))})
	if first.ID != "digest-1" || second.ID != first.ID || second.Counts.Total != 5 {
		t.Errorf("jobs: %+v, %+v", first, second)
	}
}

func TestASubmissionThatWasCutOffBeginsAnew(t *testing.T) {
	t.Parallel()
	service := open(t)
	broken := errors.New("the disk of the input is gone")
	input := io.MultiReader(strings.NewReader(questions(500)), failingReader{broken})
	if _, err := service.Submit(t.Context(),
		bulk.Submission{ID: "again", Input: input}); !errors.Is(err, broken) {
		t.Fatalf("error %v; expected %v", err, broken)
	}
	if job, err := service.Job(t.Context(), "again"); err != nil || job.State != bulk.Validating {
		t.Fatalf("cut off: %+v, %v", job, err)
	}
	job := submit(t, service,
		bulk.Submission{ID: "again", Input: strings.NewReader(questions(500))})
	if job.State != bulk.InProgress || job.Counts.Total != 500 {
		t.Fatalf("begun anew: %+v", job)
	}
	work(t, service, live(&answerer{}))
	await(t, service, "again", bulk.Completed)
	expectAll(t, results(t, service, "again"), 0, 500)
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

func TestInvalidSubmissionsAreRefused(t *testing.T) {
	t.Parallel()
	service := open(t)
	for name, submission := range map[string]bulk.Submission{
		"no input":     {},
		"two inputs":   {Input: strings.NewReader(""), InputFile: "file-1"},
		"a bad name":   {ID: "a.b", Input: strings.NewReader("")},
		"a priority":   {Priority: "urgent", Input: strings.NewReader("")},
		"a template":   {Template: []byte("{"), Input: strings.NewReader("")},
		"a time below": {Window: -1, Input: strings.NewReader("")},
	} {
		if _, err := service.Submit(t.Context(), submission); !errors.As(err,
			new(*bulk.SubmissionError)) {
			t.Errorf("%s: error %v; expected a *SubmissionError", name, err)
		}
	}
	if _, err := service.Submit(t.Context(), bulk.Submission{InputFile: "file-1"}); !errors.As(err,
		new(*bulk.NotFoundError)) {
		t.Errorf("a file that there is not: error %v; expected a *NotFoundError", err)
	}
}

func TestATemplateHasALimit(t *testing.T) {
	t.Parallel()
	service := open(t)
	template := `{"custom_id":"q-{{n}}","url":"/v1/responses","body":{"model":"m","input":"{{n}}?"}}`
	template += strings.Repeat(" ", 256<<10-len(template))
	submission := bulk.Submission{Template: []byte(template), Input: strings.NewReader("n\n0\n1\n")}
	if job := submit(t, service, submission); job.Counts.Total != 2 {
		t.Errorf("%+v", job)
	}
	submission.Template = append(submission.Template, ' ')
	if _, err := service.Submit(t.Context(), submission); !errors.As(err,
		new(*bulk.SubmissionError)) {
		t.Errorf("a byte more: %v; expected a *SubmissionError", err)
	}
}

func TestTheRulesOfASubmissionApplyToItsLines(t *testing.T) {
	t.Parallel()
	service := open(t)
	in := questions(3)
	for name, tt := range map[string]struct {
		submission bulk.Submission
		code       string // "" for none
	}{
		"all that they are":        {bulk.Submission{Format: line.OpenAI, Endpoint: "/v1/chat/completions", MaxLines: 3, MaxLineBytes: 500}, ""},
		"another form":             {bulk.Submission{Format: line.Gemini}, line.CodeMissing},
		"another endpoint":         {bulk.Submission{Endpoint: "/v1/responses"}, line.CodeURLMismatch},
		"fewer lines":              {bulk.Submission{MaxLines: 2}, line.CodeTooManyTasks},
		"shorter lines":            {bulk.Submission{MaxLineBytes: 20}, line.CodeTooLong},
		"a model in place of that": {bulk.Submission{Model: "gemini-2.5-flash"}, ""},
	} {
		tt.submission.Input = strings.NewReader(in)
		job, err := service.Submit(t.Context(), tt.submission)
		if tt.code == "" {
			if err != nil || job.Counts.Total != 3 ||
				tt.submission.Model != "" && job.Model != tt.submission.Model {
				t.Errorf("%s: %+v, %v", name, job, err)
			}
			continue
		}
		if !errors.As(err, new(*line.InputError)) || job.Problems[0].Code != tt.code {
			t.Errorf("%s: %+v, %v; want %s", name, job, err, tt.code)
		}
	}
	odd := strings.ReplaceAll(in, `"messages"`, `"temperature":9,"messages"`)
	for _, without := range []bool{false, true} {
		job, err := service.Submit(t.Context(),
			bulk.Submission{Input: strings.NewReader(odd), WithoutValidation: without})
		if (err == nil) != without {
			t.Errorf("without validation %v: %+v, %v", without, job, err)
		}
	}
}

func TestATemplateMakesARequestOfEachRow(t *testing.T) {
	t.Parallel()
	service := open(t)
	template := `{"custom_id":"q-{{n}}","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"{{n}}?"}]}}`
	job := submit(t, service,
		bulk.Submission{Template: []byte(template), Input: strings.NewReader("n\n0\n1\n2\n")})
	work(t, service, live(&answerer{}))
	await(t, service, job.ID, bulk.Completed)
	expectAll(t, results(t, service, job.ID), 0, 3)
}

func TestARequestOfAFormThatIsNotServedIsRefused(t *testing.T) {
	t.Parallel()
	service := open(t, bulk.WithForms(nil))
	job, err := service.Submit(t.Context(), bulk.Submission{Input: strings.NewReader(questions(1))})
	if !errors.As(err, new(*line.InputError)) || job.Problems[0].Code != line.CodeInvalidURL {
		t.Errorf("%+v, %v; want %s", job, err, line.CodeInvalidURL)
	}
	template := `{"url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"{{n}}"}]}}`
	_, err = service.Submit(t.Context(),
		bulk.Submission{Template: []byte(template), Input: strings.NewReader("n\n0\n")})
	if !errors.As(err, new(*line.InputError)) {
		t.Errorf("a template: %v", err)
	}
}
