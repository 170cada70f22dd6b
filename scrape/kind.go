package scrape

import (
	"strings"

	"github.com/prometheus/prometheus/model/textparse"
)

// Kind is what sort of server a page comes from.
type Kind string

// The kinds that are told apart.
const (
	KindVLLM      Kind = "vllm"
	KindDCGM      Kind = "dcgm"
	KindNvidiaSMI Kind = "nvidia-smi"
	KindOther     Kind = "other"
)

// nameKind says what the name of one metric tells about its page; empty when nothing.
//
// Ray writes vLLM's metrics as ray_vllm:x, and as ray_vllm_x since its own names may not hold a colon; KServe adds a
// prefix of its own.
func nameKind(name string) Kind {
	switch {
	case strings.HasPrefix(name, "DCGM_"):
		return KindDCGM
	case strings.Contains(name, "vllm:"), strings.HasPrefix(name, "vllm_"),
		strings.HasPrefix(name, "ray_vllm_"), strings.HasPrefix(name, "kserve_vllm_"):
		return KindVLLM
	}
	return ""
}

// httpRequests is what a vLLM server shows even when its own metrics are off (--disable-log-stats).
const httpRequests = "http_requests_total"

// pageKind reads a page only to find out what it comes from.
func pageKind(page []byte, contentType string) (Kind, *Failure) {
	if failure := notMetrics(page); failure != nil {
		return "", failure
	}
	page = cleanPage(page)
	kind, samples := KindOther, 0
	bad := readEntries(page, isOpenMetrics(contentType, page), func(parser textparse.Parser, entry textparse.Entry) bool {
		if entry != textparse.EntrySeries {
			return true
		}
		samples++
		text, _, _ := parser.Series()
		if named := nameKind(string(text)); named != "" && kind != KindVLLM {
			kind = named
		}
		return true
	})
	if samples == 0 && bad.lines > 0 {
		return "", noneReadable(bad.first)
	}
	return kind, nil
}
