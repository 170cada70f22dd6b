package diagnose

import (
	"slices"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
)

// The matchers of the export find the data sheet that the judgement finds.
func TestMatchersFindTheSameSheet(t *testing.T) {
	found := map[string]bool{}
	for _, product := range []string{
		"NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H100 NVL", "NVIDIA H100", "NVIDIA H200", "NVIDIA H200 NVL", "NVIDIA H20", "NVIDIA H20-3e", "NVIDIA GH200 480GB",
		"NVIDIA A100-SXM4-80GB", "NVIDIA A100 80GB PCIe", "NVIDIA A100-SXM4-40GB", "A100-PCIE-40GB", "NVIDIA A100X", "NVIDIA L40S", "NVIDIA L40", "NVIDIA L4", "NVIDIA A10G", "NVIDIA A10",
		"Tesla T4", "NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA RTX 6000 Ada Generation",
		"NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 3090 Ti", "NVIDIA B200", "NVIDIA GB200", "AMD Instinct MI300X", "h100 sxm", "",
	} {
		i := slices.IndexFunc(sheets, func(s sheet) bool {
			return !slices.ContainsFunc(s.matchers(), func(m *labels.Matcher) bool { return m.Name == "modelName" && !m.Matches(product) })
		})
		got := ""
		if i >= 0 {
			got = sheets[i].name
		}
		want := ""
		if s := sheetOf(product); s != nil {
			want = s.name
		}
		if got != want {
			t.Errorf("%q: the matchers find %q, the judgement %q", product, got, want)
		}
		found[got] = true
	}
	if len(found) < 15 {
		t.Errorf("only %d kinds were asked for", len(found))
	}
}
