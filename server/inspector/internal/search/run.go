package search

import (
	"context"
	"runtime"
	"sync"
)

// Result is the result of a query.
type Result struct {
	// Found are the indexes of the exchanges that match, in their order.
	Found []int
	// Matches are the matches of texts in the last of them, by their indexes.
	Matches map[int][]Match
}

// Run searches exchanges on all processors. It returns the matches of texts in the last ones, up to
// a limit. It returns the error of the context if that ends before the search.
func (q *Query) Run(ctx context.Context, exchanges []Exchange, limit int) (Result, error) {
	isFound := make([]bool, len(exchanges))
	// Pieces are small, because large exchanges are often next to each other.
	const piece = 64
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for begin := range next {
				for i := begin; i < min(begin+piece, len(exchanges)) && ctx.Err() == nil; i++ {
					isFound[i] = q.Matches(ctx, &exchanges[i])
				}
			}
		})
	}
	for begin := 0; begin < len(exchanges); begin += piece {
		next <- begin
	}
	close(next)
	wait.Wait()
	result := Result{Found: []int{}, Matches: map[int][]Match{}}
	for i, found := range isFound {
		if found {
			result.Found = append(result.Found, i)
		}
	}
	b := &budget{maxLocated}
	for at := len(result.Found) - 1; at >= max(0, len(result.Found)-limit); at-- {
		i := result.Found[at]
		if matches := q.matches(ctx, &exchanges[i], b); len(matches) > 0 {
			result.Matches[i] = matches
		}
	}
	return result, ctx.Err()
}
