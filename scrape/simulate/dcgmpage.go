package simulate

import (
	"math"
	"strconv"
)

// get is the answer of the exporter to GET /metrics.
func (h *host) get() Answer {
	if h.gone {
		return Answer{Refused: true}
	}
	return Answer{Page: h.page()}
}

// page is what the exporter's page says. It writes labels in an order of its own, and no ".0". A family without any value is
// left out.
func (h *host) page() []byte {
	var text []byte
	for _, row := range gpuFamilies(h.exporter) {
		name, help, factor, decimals := row.ofRelease(h.exporter)
		head := "# HELP " + name + " " + help + "\n# TYPE " + name + " " + row.kind + "\n"
		for _, g := range h.gpus {
			value := row.value(g) * factor
			if g.reading.dead && row.name != "DCGM_FI_DEV_XID_ERRORS" || g.slice.board != nil && !row.slices || math.IsNaN(value) {
				continue
			}
			precision := 0
			if decimals {
				precision = 6
			}
			text = append(text, head+name+g.labels(h)+" "...)
			text = strconv.AppendFloat(text, value, 'f', precision, 64)
			text = append(text, '\n')
			head = ""
		}
	}
	return text
}

// labels are those of a device, or of a MIG slice of it.
func (g *gpu) labels(h *host) string {
	index, bus, slice, host := strconv.Itoa(g.index), "", "", "Hostname"
	if h.exporter >= exporter46 {
		bus = `",pci_bus_id="` + g.bus
	}
	if h.exporter >= exporter49 {
		host = "hostname"
	}
	if g.slice.board != nil {
		slice = `",GPU_I_PROFILE="` + g.slice.profile + `",GPU_I_ID="` + strconv.Itoa(g.instance)
	}
	return `{gpu="` + index + `",UUID="` + g.uuid + bus + `",device="nvidia` + index + `",modelName="` + g.name + slice +
		`",` + host + `="` + h.name + `",DCGM_FI_DRIVER_VERSION="580.105.08"}`
}
