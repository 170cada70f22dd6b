package scrape

import (
	"slices"
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

// namePrefixes are how the metrics of each kind begin, which are those that are judged. Ray writes vLLM's as ray_vllm:x, and as ray_vllm_x
// since its own names may not hold a colon; KServe adds a prefix of its own; nvidia_gpu_exporter names what nvidia-smi tells.
var namePrefixes = map[Kind][]string{
	KindVLLM:      {"vllm:", "vllm_", "ray_vllm:", "ray_vllm_", "kserve_vllm:", "kserve_vllm_"},
	KindDCGM:      {"DCGM_"},
	KindNvidiaSMI: {"nvidia_smi_"},
}

// nameKind says what the name of one metric tells about its page; empty when nothing.
func nameKind(name string) Kind {
	for kind, prefixes := range namePrefixes {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return kind
		}
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
