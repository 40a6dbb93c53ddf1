package rangelog

import (
	"context"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Begun returns the numbers of the ranges of a job that have a log, in no particular order.
func Begun(ctx context.Context, e *engine.Engine, job string) ([]int, error) {
	before := engine.SubjectResults + job + "."
	subjects, err := e.Results.Subjects(ctx, before+"*.0")
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, subject := range subjects {
		number, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(subject, before),
			".0"), 10, 31)
		if err == nil {
			numbers = append(numbers, int(number))
		}
	}
	return numbers, nil
}
