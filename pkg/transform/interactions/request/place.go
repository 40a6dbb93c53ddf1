package request

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// stepsRoot is the root of the locations of package conversation. An element is a step of the
// history or of the input. [history.place] returns its place in the request.
const stepsRoot = "#"

// previousAt is the pointer of the interaction that the request continues.
const previousAt = "/previous_interaction_id"

// place returns the place in the request of a pointer that begins with stepsRoot, or with
// previousAt for values of the history, which are not in the request. Other pointers are places
// already.
func (b *history) place(pointer string) string {
	if rest, isStep := strings.CutPrefix(pointer, stepsRoot); isStep {
		pointer = b.placeOfStep(rest)
	}
	if strings.HasPrefix(pointer, previousAt+"/") {
		return previousAt
	}
	return pointer
}

// placeOfStep returns the place for a pointer below stepsRoot, such as "/3/call_id".
func (b *history) placeOfStep(pointer string) string {
	index, member, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	i, err := strconv.Atoi(index)
	switch {
	case err != nil || i >= len(b.steps):
		return "/input"
	case member == "":
		return b.steps[i].Pointer
	}
	place := b.steps[i].Pointer + "/" + member
	isContent := member == "content" || strings.HasPrefix(member, "content/")
	if isContent && !strings.HasPrefix(b.steps[i].Block(0), b.steps[i].Pointer+"/content") {
		return b.steps[i].Pointer // of blocks that are elements of the input
	}
	return place
}

// placeAll replaces the pointers of entries by their places.
func (b *history) placeAll(entries report.Report) {
	for i := range entries {
		entries[i].Pointer = b.place(entries[i].Pointer)
	}
}

// placeError replaces the pointer of an error by its place.
func (b *history) placeError(err error) error {
	r, ok := errors.AsType[*refusal.Error](err)
	if !ok {
		return err
	}
	return &refusal.Error{Pointer: b.place(r.Pointer), Problem: r.Problem, Err: r.Err}
}

// origin returns the place of the first step of a turn, or "".
func (b *history) origin(turn int) string { return b.place(b.Origin(turn)) }
