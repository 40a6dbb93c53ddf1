package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/spf13/cobra"
)

const submitHelp = `Submit a job for gemwire worker, or for a gateway with the same store. All lines are checked
first, as by run. The id of the job is printed on standard output.`

// submitting has the flags of submit.
type submitting struct {
	*session
	input      input
	submission submission
	store      store
	upstream   string
	again      bool
}

func newSubmit() *cobra.Command {
	var s submitting
	cmd := &cobra.Command{
		Use:   "submit [flags] FILE",
		Short: "Submit a job for workers",
		Long:  submitHelp,
		Example: "  gemwire batch submit questions.jsonl --store nats://127.0.0.1:4222 -m " +
			models.Default,
		Args:                  cobra.MaximumNArgs(1),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			s.session = newSession(cmd)
			s.input.stdin = cmd.InOrStdin()
			s.store.logger = s.logger()
			return s.fail(cmd.Context(), s.execute(cmd.Context(), args))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	s.input.addFlags(flags)
	s.submission.addFlags(flags)
	s.store.addFlags(flags)
	flags.BoolVar(&s.again, "again", false,
		"submit the requests again, although an unfinished job has the same ones")
	flags.StringVar(&s.upstream, "upstream", "",
		"accept only workers with this `UPSTREAM`, such as gemini (default any except embedded)")
	return cmd
}

func (s *submitting) execute(ctx context.Context, args []string) error {
	if err := errors.Join(s.submission.check(), s.checkUpstream()); err != nil {
		return err
	}
	if err := s.input.take(ctx, args); err != nil {
		return err
	}
	file, size, err := s.input.open(ctx)
	if err != nil {
		return err
	}
	defer file.Close()
	digest, err := s.input.identity(process.NewReader(ctx, file), "",
		s.submission.distinguishing(s.upstream)...)
	if err != nil {
		return err
	}
	metadata, err := origin(s.input.path, "")
	if err != nil {
		return err
	}
	metadata[metadataDigest] = digest
	return s.store.with(ctx, func(service *bulk.Service) error {
		if !s.again {
			other, err := unfinished(ctx, service, metadataDigest, digest)
			if err != nil {
				return err
			}
			if other != nil {
				return fmt.Errorf("the unfinished job %s has the same requests; set --again to pay for them twice",
					other.ID)
			}
		}
		job, err := submit(ctx, s.session, service, &s.input, file, size,
			func(content io.Reader) bulk.Submission {
				submission := s.submission.of(&s.input, "", content, s.upstream)
				submission.Metadata = metadata
				return submission
			})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.stdout, job.ID)
		return err
	})
}

// services are the upstreams that a worker may have.
var services = []gateway.Service{gateway.Embedded, gateway.GeminiAPI, gateway.VertexAI,
	gateway.VertexAIExpress, gateway.OpenAI}

// checkUpstream refuses a job that no worker would take.
func (s *submitting) checkUpstream() error {
	service := gateway.Service(s.upstream)
	switch {
	case s.upstream == "":
		return nil
	case !slices.Contains(services, service):
		return usageError{fmt.Errorf("--upstream: %q is not an upstream; use %s", s.upstream,
			message.List(services, "or"))}
	case s.submission.mode == modeGemini && !hasBatchMode(service):
		return errNoBatchMode
	}
	return nil
}
