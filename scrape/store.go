package scrape

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunks"
)

const (
	// mapEvery is how often, in sample time, full chunks move from memory to files. The database does that by itself
	// once a minute of the wall clock, which is too rare when saved pages of hours are read in a second.
	mapEvery = time.Minute
	// truncateEvery is how often, in sample time, the ring drops what is older than the kept span (29 ms at 64 servers).
	truncateEvery = 10 * time.Minute
)

// Store is where samples go, and where queries read them: an embedded Prometheus TSDB.
type Store struct {
	db   *tsdb.DB
	dir  string
	keep time.Duration
	log  *slog.Logger // also of the writers

	mu        sync.Mutex
	mapped    int64 // sample time, in ms, of the last mapping
	truncated int64 // sample time, in ms, of the last truncation
}

// OpenRing opens a store that keeps about the last keep of sample time, everything if keep is 0, and nothing beyond
// [Store.Close]: it has no write-ahead log and writes no blocks, so that it is open in a millisecond. dir has to be an
// empty directory of the caller's. A sample may come up to an hour behind the newest one of all targets. What goes wrong in
// the database, and in the scrapes that are written to it, is logged where log is not nil.
func OpenRing(dir string, keep time.Duration, log *slog.Logger) (*Store, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if entries, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	} else if len(entries) > 0 {
		return nil, fmt.Errorf("open store in %s: the directory is not empty; give it one of its own", dir)
	}
	options := tsdb.DefaultOptions()
	options.WALSegmentSize = -1 // no write-ahead log
	options.StripeSize = 512    // the default of 16,384 costs 8 ms and is for millions of series
	options.HeadChunksWriteBufferSize = chunks.MinWriteBufferSize
	db, err := tsdb.Open(dir, log, nil, options, nil)
	if err != nil {
		return nil, fmt.Errorf("open store in %s: %w", dir, err)
	}
	db.DisableCompactions()
	return &Store{db: db, dir: dir, keep: keep, log: log}, nil
}

// Querier gives read access to a stretch of time, in ms; it sees what was committed before it was opened.
func (s *Store) Querier(from, to int64) (storage.Querier, error) { return s.db.Querier(from, to) }

// Span returns the times of the first and the last sample, in ms; ok is false while there is none.
func (s *Store) Span() (first, last int64, ok bool) {
	head := s.db.Head()
	first, last = head.MinTime(), head.MaxTime()
	return first, last, last >= first
}

func (s *Store) appender() storage.Appender { return s.db.Appender(context.Background()) }

// tick does the upkeep that is due at a sample time, in ms. Truncation waits for queries that are under way.
func (s *Store) tick(at int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mapped == 0 {
		s.mapped, s.truncated = at, at
	}
	if at-s.mapped >= mapEvery.Milliseconds() {
		s.mapped = at
		s.db.ForceHeadMMap()
	}
	if s.keep > 0 && at-s.truncated >= truncateEvery.Milliseconds() {
		s.truncated = at
		if err := s.db.Head().Truncate(at - s.keep.Milliseconds()); err != nil {
			return fmt.Errorf("truncate store: %w", err)
		}
	}
	return nil
}

// Close ends the store and removes its files, not the directory.
func (s *Store) Close() error {
	err := s.db.Close()
	for _, own := range []string{"chunks_head", "wal", "lock"} {
		err = errors.Join(err, os.RemoveAll(filepath.Join(s.dir, own)))
	}
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}
