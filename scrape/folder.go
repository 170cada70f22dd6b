package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// savedPage is one file: a page, or why there was none.
type savedPage struct {
	file string
	at   time.Time
	from *folder
}

// folder is the saved pages of one target, in order.
type folder struct {
	target Target
	pages  []savedPage
	timed  bool // the file names are Unix times
	end    time.Time
	writer *Writer
}

// ReadFolder writes saved pages into the store as if they were scraped, one target for each path: a folder of *.prom
// and *.txt files, also packed (.gz), or one such file. A file *.err stands for a failed scrape and holds the reason.
// A target is called as the end of its path, as much of it as tells it from the others: run, or a/run and b/run.
//
// Times come from the file names where all of a folder are Unix times, in seconds or milliseconds. Other pages, in the
// order of their names with numbers counted as such, are an interval apart, and all folders end together: with the
// named ones, or when the last file was written, taken back to a multiple of the interval so that ticks fall on pages.
func ReadFolder(store *Store, paths []string, interval time.Duration) ([]Target, error) {
	if err := checkInterval(interval, true); err != nil {
		return nil, fmt.Errorf("read saved pages: %w", err)
	}
	var folders []*folder
	var targets []Target
	names, err := pathNames(paths)
	if err != nil {
		return nil, fmt.Errorf("read saved pages: %w", &InputError{err})
	}
	for i, path := range paths {
		f, err := openFolder(path, names[i])
		if err != nil {
			return nil, fmt.Errorf("read saved pages: %w", &InputError{err})
		}
		f.writer = NewWriter(store, f.target)
		folders, targets = append(folders, f), append(targets, f.target)
	}
	for _, page := range schedule(folders, interval) {
		if err := page.write(); err != nil {
			return nil, fmt.Errorf("read saved pages: %w", err)
		}
	}
	return targets, nil
}

// openFolder lists the pages at a path.
func openFolder(path, name string) (*folder, error) {
	files, err := pageFiles(path)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 { // recordings keep their pages in a folder of this name, beside their description
		if files, err = pageFiles(filepath.Join(path, "pages")); err != nil || len(files) == 0 {
			return nil, fmt.Errorf("%s has no saved pages: they are called *.prom or *.txt, or with .gz behind", path)
		}
	}
	slices.SortFunc(files, compareNames)
	last, err := os.Stat(files[len(files)-1])
	if err != nil {
		return nil, err
	}
	f := &folder{target: folderTarget(path, name), timed: true, end: last.ModTime()}
	for _, file := range files {
		at, ok := timeInName(file)
		f.timed = f.timed && ok
		f.pages = append(f.pages, savedPage{file: file, at: at, from: f})
	}
	if f.timed {
		f.end = f.pages[len(f.pages)-1].at
	} else {
		f.target.Undated = len(f.pages)
	}
	return f, nil
}

// pageFiles returns path itself if it is a file, else the pages in it.
func pageFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		switch filepath.Ext(strings.TrimSuffix(entry.Name(), ".gz")) {
		case ".prom", ".txt", ".err":
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	return files, nil
}

func folderTarget(path, name string) Target {
	return Target{
		URL: printable(path, maxText), Job: defaultJob, Instance: strings.ToValidUTF8(name, "�"), NoSideRequests: true,
	}
}

// schedule gives every page its time and returns them in the order of these.
func schedule(folders []*folder, interval time.Duration) (all []savedPage) {
	var end, namedEnd time.Time
	for _, f := range folders {
		switch {
		case f.timed && f.end.After(namedEnd):
			namedEnd = f.end
		case !f.timed && f.end.After(end):
			end = f.end
		}
	}
	if !namedEnd.IsZero() {
		end = namedEnd
	}
	step := interval.Milliseconds()
	end = time.UnixMilli(end.UnixMilli() / step * step)
	for _, f := range folders {
		for i := range f.pages {
			if !f.timed {
				f.pages[i].at = end.Add(-interval * time.Duration(len(f.pages)-1-i))
			}
		}
		all = append(all, f.pages...)
	}
	slices.SortStableFunc(all, func(a, b savedPage) int { return a.at.Compare(b.at) })
	return all
}

func (p savedPage) write() error {
	s := Scrape{At: p.at, Duration: -1}
	page, err := readSaved(p.file)
	switch {
	case errors.Is(err, errTooBig):
		s.Err = get{}.classify(err)
	case err != nil:
		return err
	case filepath.Ext(strings.TrimSuffix(p.file, ".gz")) == ".err":
		s.Err = savedFailure(string(page))
	default:
		s.Page = page
	}
	if _, err := p.from.writer.Write(s); err != nil {
		return fmt.Errorf("%s: %w", p.file, err)
	}
	return nil
}

// readSaved reads a file within the bounds of a scrape, unpacked if it is packed.
func readSaved(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var page bytes.Buffer
	if _, err := readBody(file, false, &page); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || isBrokenGzip(err) {
			return nil, fmt.Errorf("%s is a damaged gzip file: %w", name, err)
		}
		return nil, err
	}
	return page.Bytes(), nil
}
