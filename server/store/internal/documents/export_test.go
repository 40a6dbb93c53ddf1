package documents

import "context"

// RemoveOrphans removes pieces without a head.
func RemoveOrphans(ctx context.Context, s *Store) error { return s.removeOrphans(ctx) }
