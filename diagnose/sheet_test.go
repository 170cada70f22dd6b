package diagnose

import (
	"math"
	"strings"
	"testing"
)

// A GPU's data sheet is found by the names that exporters give it, and none is guessed.
func TestSheetOf(t *testing.T) {
	for product, want := range map[string]string{
		"NVIDIA H100 80GB HBM3": "H100 SXM", "NVIDIA H100 PCIe": "H100 PCIe", "NVIDIA H100 NVL": "H100 NVL", "H100-SXM5-80GB": "H100 SXM",
		"NVIDIA A100-SXM4-80GB": "A100 SXM 80GB", "NVIDIA A100 80GB PCIe": "A100 PCIe 80GB", "NVIDIA A100-PCIE-40GB": "A100 PCIe 40GB",
		"NVIDIA A100-SXM4-40GB": "A100 SXM 40GB", "NVIDIA H200": "H200", "NVIDIA H200 NVL": "H200 NVL", "NVIDIA H20": "H20",
		"NVIDIA L4": "L4", "NVIDIA L40S": "L40S", "NVIDIA A10G": "A10G", "Tesla T4": "T4", "NVIDIA GeForce RTX 4090": "RTX 4090",
		"NVIDIA GeForce RTX 3090": "RTX 3090", "NVIDIA RTX 6000 Ada Generation": "RTX 6000 Ada", "NVIDIA B200": "B200", "NVIDIA GB200": "GB200",
		"AMD Instinct MI300X OAM": "MI300X",
		"NVIDIA H100":             "", "NVIDIA H20-3e": "", "NVIDIA GeForce RTX 4090 Laptop GPU": "", "NVIDIA GeForce RTX 4090 D": "", "NVIDIA L40": "",
		"NVIDIA GeForce RTX 3090 Ti": "", "Quadro RTX 6000": "", "NVIDIA A100": "", "": "",
	} {
		got := ""
		if s := sheetOf(product); s != nil {
			got = s.name
		}
		if got != want {
			t.Errorf("%q is taken for %q, want %q", product, got, want)
		}
	}
	for _, name := range KnownGPUs() {
		if s := sheetOf(name); s == nil || s.name != name {
			t.Errorf("%q, as people say it, is not found", name)
		}
	}
	for _, s := range sheets {
		if ridge := s.flops16 / s.bandwidth; ridge < 30 || ridge > 450 || s.flops8 != 0 && (s.flops8 < 1.9*s.flops16 || s.flops8 > 2.1*s.flops16) || s.source == "" {
			t.Errorf("%s: %.0f FLOP a byte, %g and %g FLOP/s", s.name, ridge, s.flops16, s.flops8)
		}
	}
	for name, want := range map[string]float64{"H100 SXM": 8192, "H200": 8192, "NVIDIA A100-SXM4-80GB": 2048, "B200": 16384, "L40S": 2048, "MI300X": 16384} {
		if got := sheetOf(name).stepBudget(); got != want {
			t.Errorf("%s: %g tokens a step, want %g", name, got, want)
		}
	}
}

// Every figure that the catalogue names is one of the sheet's or the shape's, and another name is that of none.
func TestFiguresByName(t *testing.T) {
	sheet, shape := sheetOf("H100 SXM"), &Shape{}
	for _, s := range Default().Signals {
		if strings.HasPrefix(s.Setting, sheetPrefix) && math.IsNaN(sheet.value(s.Setting)) || strings.HasPrefix(s.Setting, shapePrefix) && math.IsNaN(shape.value(s.Setting)) {
			t.Errorf("%s: there is no %s", s.ID, s.Setting)
		}
	}
	if v, w := sheet.value("sheet_price"), shape.value("shape_price"); !math.IsNaN(v) || !math.IsNaN(w) {
		t.Errorf("figures that there are not are %v and %v", v, w)
	}
}
