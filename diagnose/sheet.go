package diagnose

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// A sheet is what a GPU's data sheet promises. Rates of arithmetic are dense: sheets print the double, with sparsity.
type sheet struct {
	name      string   // as people say it
	words     []string // that the exporter's modelName has, in any order
	others    []string // that it must not have: another GPU's
	flops16   float64  // bf16 FLOP/s (fp16 where there is no bf16)
	flops8    float64  // fp8 FLOP/s; 0 where there is none
	bandwidth float64  // bytes of memory a second
	nvlink    float64  // bytes a second in one direction; 0 where cards have PCIe or a bridge at most
	memory    float64  // GB, as it is sold
	source    string
}

// sheets are tried in their order, so that the longer name of two that begin alike comes first.
var sheets = []sheet{
	{"GB200", []string{"gb200"}, nil, 2500e12, 5000e12, 8e12, 900e9, 186, "NVIDIA GB200 NVL72 data sheet, for one GPU"},
	{"B200", []string{"b200"}, nil, 2250e12, 4500e12, 8e12, 900e9, 180, "NVIDIA HGX B200 data sheet"},
	{"H200 NVL", []string{"h200", "nvl"}, nil, 836e12, 1671e12, 4.8e12, 450e9, 141, "NVIDIA H200 data sheet"},
	{"H200", []string{"h200"}, nil, 989e12, 1979e12, 4.8e12, 450e9, 141, "NVIDIA H200 data sheet"},
	{"H100 NVL", []string{"h100", "nvl"}, nil, 836e12, 1671e12, 3.9e12, 300e9, 94, "NVIDIA H100 data sheet"},
	{"H100 PCIe", []string{"h100", "pcie"}, nil, 756e12, 1513e12, 2e12, 0, 80, "NVIDIA H100 PCIe product brief"},
	{"H100 SXM", []string{"h100", "80gb", "hbm3"}, nil, 989e12, 1979e12, 3.35e12, 450e9, 80, "NVIDIA H100 data sheet"},
	{"H100 SXM", []string{"h100", "sxm"}, nil, 989e12, 1979e12, 3.35e12, 450e9, 80, "NVIDIA H100 data sheet"},
	{"H20", []string{"h20"}, []string{"3e"}, 148e12, 296e12, 4e12, 450e9, 96, "NVIDIA H20 data sheet"},
	{"A100 SXM 80GB", []string{"a100", "sxm", "80gb"}, nil, 312e12, 0, 2.039e12, 300e9, 80, "NVIDIA A100 data sheet"},
	{"A100 PCIe 80GB", []string{"a100", "pcie", "80gb"}, nil, 312e12, 0, 1.935e12, 0, 80, "NVIDIA A100 data sheet"},
	{"A100 SXM 40GB", []string{"a100", "sxm", "40gb"}, nil, 312e12, 0, 1.555e12, 300e9, 40, "NVIDIA A100 data sheet"},
	{"A100 PCIe 40GB", []string{"a100", "pcie", "40gb"}, nil, 312e12, 0, 1.555e12, 0, 40, "NVIDIA A100 data sheet"},
	{"L40S", []string{"l40s"}, nil, 362e12, 733e12, 0.864e12, 0, 48, "NVIDIA L40S data sheet"},
	{"L4", []string{"l4"}, nil, 121e12, 242e12, 0.3e12, 0, 24, "NVIDIA L4 data sheet"},
	{"A10G", []string{"a10g"}, nil, 70e12, 0, 0.6e12, 0, 24, "NVIDIA A10G data sheet"},
	{"T4", []string{"t4"}, nil, 65e12, 0, 0.32e12, 0, 16, "NVIDIA T4 data sheet, fp16"},
	{"RTX 6000 Ada", []string{"rtx", "6000", "ada"}, nil, 364e12, 728e12, 0.96e12, 0, 48, "NVIDIA RTX 6000 Ada data sheet"},
	{"RTX 4090", []string{"rtx", "4090"}, []string{"laptop", "d"}, 165e12, 330e12, 1.008e12, 0, 24, "NVIDIA Ada architecture paper, sums in fp32"},
	{"RTX 3090", []string{"rtx", "3090"}, []string{"ti"}, 71e12, 0, 0.936e12, 0, 24, "NVIDIA Ampere GA102 architecture paper, sums in fp32"},
	{"MI300X", []string{"mi300x"}, nil, 1307e12, 2615e12, 5.3e12, 448e9, 192, "AMD MI300X data sheet"},
}

// sheetOf finds the data sheet of a GPU by the name that its exporter gives it, nil when there is none for certain: a bare "H100" may
// be any of three, and peaks of a wrong one are worse than none.
func sheetOf(product string) *sheet {
	words := wordsOf(product)
	for i, s := range sheets {
		if containsAll(words, s.words) && !slices.ContainsFunc(s.others, func(w string) bool { return slices.Contains(words, w) }) {
			return &sheets[i]
		}
	}
	return nil
}

// wordsOf are the words of a GPU's name in lower case, with "sxm" for "SXM4" and its like.
func wordsOf(product string) []string {
	words := strings.FieldsFunc(strings.ToLower(product), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if strings.HasPrefix(w, "sxm") {
			words[i] = "sxm"
		}
	}
	return words
}

func containsAll(words, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(words, w) })
}

// KnowsGPU tells whether there is a data sheet for a GPU of that name.
func KnowsGPU(product string) bool { return sheetOf(product) != nil }

// KnownGPUs lists the GPUs that there is a data sheet for.
func KnownGPUs() []string {
	var names []string
	for _, s := range sheets {
		if !slices.Contains(names, s.name) {
			names = append(names, s.name)
		}
	}
	return names
}

// Settings whose names begin so are figures of a GPU's data sheet, and of a model's shape.
const (
	sheetPrefix = "sheet_"
	shapePrefix = "shape_"
)

// sheet is the data sheet of the GPUs of a server: the user's word, or what their exporter says. A slice has none, and neither have
// GPUs of two kinds.
func (f *Facts) sheet(subject Subject, i int) *sheet {
	if told := f.settings.Hardware[subject.Instance]; told.GPU != "" {
		return sheetOf(told.GPU)
	}
	var found *sheet
	for n, gpu := range f.topology[i].GPUs(subject.At(Server)) {
		s := sheetOf(gpu.Product)
		if s == nil || gpu.Slice != "" || n > 0 && s.name != found.name {
			return nil
		}
		found = s
	}
	return found
}

// value is a figure of the data sheet by the name of its setting; NaN where there is none of that name. Where there is no fp8, arithmetic is
// done in 16 bits.
func (s *sheet) value(name string) float64 {
	if s == nil {
		return math.NaN()
	}
	switch name {
	case "sheet_flops16":
		return s.flops16
	case "sheet_flops8":
		return max(s.flops8, s.flops16)
	case "sheet_token_budget":
		return s.stepBudget()
	case "sheet_nvlink":
		if s.nvlink == 0 {
			return math.NaN()
		}
		return s.nvlink
	case "sheet_bandwidth":
		return s.bandwidth
	}
	return math.NaN()
}

// stepBudget is vLLM's default of --max-num-batched-tokens for a server on such a GPU (engine/arg_utils.py; 70 and 160 GiB).
func (s *sheet) stepBudget() float64 {
	switch {
	case s.memory >= 172:
		return 16384
	case s.memory >= 76 && !strings.HasPrefix(s.name, "A100"):
		return 8192
	}
	return 2048
}
