package scrape

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/config"
)

// smiField is a column of nvidia-smi with the DCGM metric of the same meaning and unit.
type smiField struct{ query, metric, kind, help string }

// smiFields are the columns asked for after the three that name the GPU. DCGM fields that nvidia-smi cannot give, such
// as those of profiling, have none.
var smiFields = []smiField{
	{"utilization.gpu", "DCGM_FI_DEV_GPU_UTIL", "gauge", "GPU utilization (in %)."},
	{"utilization.memory", "DCGM_FI_DEV_MEM_COPY_UTIL", "gauge", "Memory utilization (in %)."},
	{"memory.used", "DCGM_FI_DEV_FB_USED", "gauge", "Frame buffer memory used (in MiB)."},
	{"memory.free", "DCGM_FI_DEV_FB_FREE", "gauge", "Frame buffer memory free (in MiB)."},
	{"power.draw", "DCGM_FI_DEV_POWER_USAGE", "gauge", "Power draw (in W)."},
	{"enforced.power.limit", "DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "gauge", "Power limit in force (in W)."},
	{"clocks.sm", "DCGM_FI_DEV_SM_CLOCK", "gauge", "SM clock frequency (in MHz)."},
	{"clocks.max.sm", "DCGM_FI_DEV_MAX_SM_CLOCK", "gauge", "Highest SM clock frequency (in MHz)."},
	{"clocks.mem", "DCGM_FI_DEV_MEM_CLOCK", "gauge", "Memory clock frequency (in MHz)."},
	{"temperature.gpu", "DCGM_FI_DEV_GPU_TEMP", "gauge", "GPU temperature (in C)."},
	{"temperature.memory", "DCGM_FI_DEV_MEMORY_TEMP", "gauge", "Memory temperature (in C)."},
	{"clocks_throttle_reasons.active", "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "gauge", "Bit mask of what holds the clocks down."},
	{"pcie.link.gen.current", "DCGM_FI_DEV_PCIE_LINK_GEN", "gauge", "PCIe generation in use."},
	{"pcie.link.gen.max", "DCGM_FI_DEV_PCIE_MAX_LINK_GEN", "gauge", "Highest PCIe generation."},
	{"pcie.link.width.current", "DCGM_FI_DEV_PCIE_LINK_WIDTH", "gauge", "PCIe lanes in use."},
	{"pcie.link.width.max", "DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH", "gauge", "Highest number of PCIe lanes."},
	{"ecc.errors.uncorrected.volatile.total", "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "counter", "Double-bit errors since the last reset."},
}

const (
	smiNames = 3 // index, uuid, name
	// maxSMIOutput bounds what is read of the program's output: 16 GPUs make 4 kB.
	maxSMIOutput = 1 << 20
)

// smiTarget is the target for a program like nvidia-smi at a path, or found by name.
func smiTarget(command string) Target {
	return Target{
		URL: printable(command, maxText), Job: defaultJob, Instance: nvidiaSMI, Kind: KindNvidiaSMI,
		Client: config.DefaultHTTPClientConfig, NoSideRequests: true, command: command,
	}
}

// smiSource makes a page under DCGM's names of what nvidia-smi prints.
type smiSource struct {
	command string
	fields  []smiField // those that this driver knows
}

func (*smiSource) close() {}

func (s *smiSource) fetch(ctx context.Context, timeout time.Duration, page *bytes.Buffer) (head, *Failure) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	output, err := s.run(ctx)
	for err != nil && s.drop(output) {
		output, err = s.run(ctx)
	}
	host, _ := os.Hostname() // without it there is no such label
	s.writePage(page, output, host)
	if page.Len() > 0 {
		return head{contentType: "text/plain"}, nil // one lost GPU makes it fail and still print the others
	}
	if err != nil {
		return head{}, smiFailure(ctx, err, timeout, output)
	}
	if len(bytes.TrimSpace(output)) > 0 {
		return head{}, newFailure(ClassNotMetrics, fmt.Sprintf("nvidia-smi printed no table (%s): is it the real one?",
			firstWords(output)))
	}
	return head{}, nil
}

func (s *smiSource) run(ctx context.Context) ([]byte, error) {
	query := []string{"index", "uuid", "name"}
	for _, field := range s.fields {
		query = append(query, field.query)
	}
	command := exec.CommandContext(ctx, s.command, "--query-gpu="+strings.Join(query, ","), "--format=csv,noheader,nounits")
	command.WaitDelay = 50 * time.Millisecond // a child that keeps the pipe open must not hold us up
	var output limitedBuffer
	command.Stdout, command.Stderr = &output, &output
	err := command.Run()
	return output.Bytes(), err
}

// drop leaves out the field that a driver does not know, and says whether there was one: names come and go with the
// driver, and one unknown name makes the program refuse the whole query.
func (s *smiSource) drop(output []byte) bool {
	for i, field := range s.fields {
		if bytes.Contains(output, []byte(`"`+field.query+`" is not a valid field`)) {
			s.fields = slices.Delete(slices.Clone(s.fields), i, i+1)
			return true
		}
	}
	return false
}

func smiFailure(ctx context.Context, err error, timeout time.Duration, output []byte) *Failure {
	var file *os.PathError
	switch {
	case ctx.Err() != nil:
		return newFailure(ClassTimeout, fmt.Sprintf("nvidia-smi did not end within %s: the driver may hang; "+
			"persistence mode makes it faster", timeout))
	case errors.Is(err, exec.ErrNotFound), errors.As(err, &file):
		return newFailure(ClassNotFound, "nvidia-smi cannot be run here: install the NVIDIA driver, or give its path")
	}
	return newFailure(ClassStatus, fmt.Sprintf("nvidia-smi failed (%s): check the driver", firstWords(output)))
}

// limitedBuffer drops what is over maxSMIOutput.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if room := maxSMIOutput - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// writePage writes the table of nvidia-smi as a page. A field that is not a number, such as [N/A] or [Not Supported],
// is absent: it is not 0.
func (s *smiSource) writePage(page *bytes.Buffer, table []byte, host string) {
	rows := s.rows(table)
	for i, field := range s.fields {
		begun := false
		for _, row := range rows {
			v, ok := smiNumber(row[smiNames+i])
			if !ok {
				continue
			}
			if !begun {
				fmt.Fprintf(page, "# HELP %s %s\n# TYPE %s %s\n", field.metric, field.help, field.metric, field.kind)
				begun = true
			}
			fmt.Fprintf(page, "%s{gpu=%s,UUID=%s,device=%s,modelName=%s,Hostname=%s} %s\n", field.metric, labelText(row[0]),
				labelText(row[1]), labelText("nvidia"+row[0]), labelText(row[2]), labelText(host), strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
}

// rows returns the rows of a table that have all columns.
func (s *smiSource) rows(table []byte) (rows [][]string) {
	reader := csv.NewReader(bytes.NewReader(table))
	reader.TrimLeadingSpace, reader.LazyQuotes, reader.FieldsPerRecord = true, true, -1
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err == nil && len(row) == smiNames+len(s.fields) {
			rows = append(rows, row)
		}
	}
}

// smiNumber reads a number, which is hexadecimal for bit masks.
func smiNumber(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if mask, err := strconv.ParseUint(text, 0, 64); err == nil {
		return float64(mask), true
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func labelText(value string) string {
	return `"` + labelEscapes.Replace(strings.ToValidUTF8(value, "�")) + `"`
}
