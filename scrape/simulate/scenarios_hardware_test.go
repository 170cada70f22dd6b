package simulate

import (
	"strings"
	"testing"
	"time"
)

// of is the last value of a family for one device.
func (s sheet) of(name, device string) float64 {
	for series, value := range s {
		if strings.HasPrefix(series, name+`{gpu="`+device+`"`) {
			return value
		}
	}
	return -1
}

// hardwareFault is a scenario before its onset, some time after it, and the exporter's last page.
func hardwareFault(t *testing.T, name string, faulty time.Duration) (before, after span, last sheet) {
	t.Helper()
	s := scenario(t, name)
	f := build(t, s, 7)
	onset := noon.Add(s.Onset)
	before = watch(t, f, noon, onset.Add(-5*time.Second))
	settled := onset.Add(30 * time.Second)
	after = watch(t, f, settled, settled.Add(faulty))
	return before, after, after.gpu[len(after.gpu)-1]
}

func TestOverheating(t *testing.T) {
	before, s, last := hardwareFault(t, "overheating", 9*time.Minute)
	check(
		t,
		bound{"temperature before", before.device(gpuHeat), 45, 60},
		bound{"reasons before", before.device(reasons), 0, 0},
		bound{"temperature", last.of(gpuHeat, "2"), 85, 89},
		bound{"temperature of another", last.of(gpuHeat, "0"), 40, 60},
		bound{"clock", last.of(smClock, "2"), 600, 1700},
		bound{"clock of another", last.of(smClock, "0"), 1980, 1980},
		bound{"reasons", last.of(reasons, "2"), softwareThermal, softwareThermal},
		bound{"seconds held down", last.of("DCGM_FI_DEV_THERMAL_VIOLATION", "2") / 1e9, 300, 540},
		bound{"TTFT against before", s.mean(ttft) / before.mean(ttft), 1.02, 2},
		bound{"waiting", average(s.gauge(waiting)), 0, 1},
	)
}

func TestPowerCap(t *testing.T) {
	before, s, last := hardwareFault(t, "power-cap", 5*time.Minute)
	check(
		t,
		bound{"power before", before.device(gpuPower), 400, 550},
		bound{"limit", last.of("DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "0"), 384, 386},
		bound{"power", s.device(gpuPower), 300, 385},
		bound{"clock", s.device(smClock), 600, 1680},
		bound{"reasons", last.of(reasons, "0"), powerCap, powerCap},
		bound{"temperature", s.device(gpuHeat), 30, 55},
		bound{"TTFT against before", s.mean(ttft) / before.mean(ttft), 1.2, 3},
		bound{"preemptions", s.rise(evictions), 0, 0},
	)
}

func TestPowerBrake(t *testing.T) {
	before, s, last := hardwareFault(t, "power-brake", 5*time.Minute)
	check(
		t,
		bound{"clock before", before.device(smClock), 1980, 1980},
		bound{"clock", s.device(smClock), 300, 990},
		bound{"reasons", last.of(reasons, "3"), powerBrake | hardwareSlowdown, powerBrake | hardwareSlowdown},
		bound{"temperature", s.device(gpuHeat), 30, 50},
		bound{"ITL against before", s.mean(itl) / before.mean(itl), 1.2, 2},
		bound{"seconds held down", last.of("DCGM_FI_DEV_POWER_VIOLATION", "0") / 1e9, 300, 340},
	)
}

func TestClocksLocked(t *testing.T) {
	before, s, last := hardwareFault(t, "clocks-locked", 5*time.Minute)
	check(
		t,
		bound{"clock", s.device(smClock), 990, 1005},
		bound{"reasons", last.of(reasons, "0"), 0, 0},
		bound{"power against before", s.device(gpuPower) / before.device(gpuPower), 0.5, 0.9},
		bound{"tensor activity against before, of fewer cycles", s.device(tensor) / before.device(tensor), 1.3, 2.2},
		bound{"ITL against before", s.mean(itl) / before.mean(itl), 1.2, 2},
	)
}

// TestXID: the device that hangs is gone from the page but for its XID, and the others spin.
func TestXID(t *testing.T) {
	before, s, last := hardwareFault(t, "xid", 3*time.Minute)
	check(
		t,
		bound{"tokens before", before.rate(generated), 100, 1e4},
		bound{"tokens", s.rise(generated), 0, 0},
		bound{"open files gained a second", s.rate(openFiles), 1.5, 2.5},
		bound{"XID before", before.device(lastXID), 0, 0},
		bound{"XID", last.of(lastXID, "2"), 119, 119},
		bound{"XID of another", last.of(lastXID, "1"), 0, 0},
		bound{"temperature, not on the page", last.of(gpuHeat, "2"), -1, -1},
		bound{"busy of another", last.of(gpuBusy, "1"), 1, 1},
		bound{"power of another", last.of(gpuPower, "1") / 700, 0.25, 0.45},
	)
}

// TestXIDOfAProgram: the server is away while it loads, and its GPU's memory is free; then it serves as before.
func TestXIDOfAProgram(t *testing.T) {
	s := scenario(t, "xid-application")
	s.GPUInterval = time.Second
	f := build(t, s, 7)
	onset := noon.Add(s.Onset)
	f.AdvanceTo(onset.Add(5 * time.Second))
	answer, err := f.Get("gpu-a:8000")
	if err != nil || !answer.Refused || f.Listening("gpu-a:8000") {
		t.Errorf("five seconds after the crash the server is not away (%v)", err)
	}
	away := read(t, f, "gpu-a:9400")
	after := watch(t, f, onset.Add(4*time.Minute), onset.Add(6*time.Minute))
	check(
		t,
		bound{"XID", away.of(lastXID, "0"), 31, 31},
		bound{"memory in use while it is away", away.of(memoryUsed, "0"), 0, 0},
		bound{"XID when it is back", after.gpu[0].of(lastXID, "0"), 31, 31},
		bound{"tokens when it is back", after.rate(generated), 500, 1e4},
		bound{"start of the process", after.last[started] - float64(onset.Unix()), exitSeconds - 0.01, exitSeconds},
	)
}

func TestPCIeWidth(t *testing.T) {
	before, s, last := hardwareFault(t, "pcie-width", 5*time.Minute)
	check(
		t,
		bound{"lanes before", before.device(pcieNow), 16, 16},
		bound{"lanes", last.of(pcieNow, "1"), 4, 4},
		bound{"lanes of the other", last.of(pcieNow, "0"), 16, 16},
		bound{"most lanes", last.of(pcieMost, "1"), 16, 16},
		bound{"generation", last.of("DCGM_FI_DEV_PCIE_LINK_GEN", "1"), 4, 4},
		bound{"bytes over the bus a second", last.of("DCGM_FI_PROF_PCIE_TX_BYTES", "1"), 3e7, 1e10},
		bound{"TTFT against before", s.mean(ttft) / before.mean(ttft), 1.1, 2},
		bound{"clock", s.device(smClock), 2520, 2520},
	)
}

// TestSlowReplica: three replicas get the same requests, and one gives each token later.
func TestSlowReplica(t *testing.T) {
	s := scenario(t, "slow-replica")
	f := build(t, s, 7)
	onset := noon.Add(s.Onset)
	at := func(moment time.Time) (a, b, gpu sheet) {
		f.AdvanceTo(moment)
		return read(t, f, "gpu-a:8000"), read(t, f, "gpu-b:8000"), read(t, f, "gpu-b:9400")
	}
	between := func(first, last sheet, name string) float64 {
		return (last.sum(name+"_sum") - first.sum(name+"_sum")) / (last.sum(name+"_count") - first.sum(name+"_count"))
	}
	a0, b0, _ := at(noon)
	a1, b1, _ := at(onset)
	a2, b2, _ := at(onset.Add(time.Minute))
	a3, b3, gpu := at(onset.Add(6 * time.Minute))
	admitted := func(first, last sheet) float64 { return last.sum(ttft+"_count") - first.sum(ttft+"_count") }
	check(
		t,
		bound{"ITL against its peer before", between(b0, b1, itl) / between(a0, a1, itl), 0.95, 1.05},
		bound{"ITL against its peer", between(b2, b3, itl) / between(a2, a3, itl), 1.35, 2.2},
		bound{"requests against its peer", admitted(b2, b3) / admitted(a2, a3), 0.97, 1.03},
		bound{"memory clock", gpu.of("DCGM_FI_DEV_MEM_CLOCK", "0"), 1400, 1500},
		bound{"clock", gpu.of(smClock, "0"), 1980, 1980},
		bound{"reasons", gpu.of(reasons, "0"), 0, 0},
		bound{"waiting", b3.sum(waiting), 0, 2},
	)
}

func TestStranger(t *testing.T) {
	before, s, last := hardwareFault(t, "stranger", 5*time.Minute)
	check(
		t,
		bound{"busy before", before.device(gpuBusy), 0.02, 0.5},
		bound{"busy", s.device(gpuBusy), 0.65, 1},
		bound{"least running", s.gauge(running)[0], 0, 0},
		bound{"ITL against before", s.mean(itl) / before.mean(itl), 1.4, 1.8},
		// 0.92 of 81,559 MiB are the engine's.
		bound{"memory in use in MiB", last.of(memoryUsed, "0"), 80034, 80034},
		bound{"memory that is left", last.of("DCGM_FI_DEV_FB_FREE", "0"), 900, 1000},
	)
}

// TestFaultsOfDevicesAreRelieved: what was done to the devices is put right at the end.
func TestFaultsOfDevicesAreRelieved(t *testing.T) {
	for _, name := range []string{"overheating", "power-cap", "power-brake", "clocks-locked", "pcie-width", "slow-replica", "stranger"} {
		s := scenario(t, name)
		s.Lasts = 30 * time.Second
		f := build(t, s, 7)
		f.AdvanceTo(noon.Add(s.Onset + 10*time.Second))
		during := f.servers[s.faults[0].servers[0]].devices()
		struck := false
		for _, d := range during {
			struck = struck || d.resistance > 1 || d.limit < d.accelerator.power || d.share() < 1 || d.lost > 0 || d.memoryClock < 1 || d.stranger.memory > 0
		}
		f.AdvanceTo(noon.Add(s.Onset + 5*time.Minute))
		for _, d := range during {
			if !struck || d.resistance != 1 || d.limit != d.accelerator.power || d.share() != 1 || d.lost != 0 || d.memoryClock != 1 || d.stranger.memory != 0 {
				t.Errorf("%s: struck %v, and five minutes later a device is not as it was: %+v", name, struck, d)
			}
		}
		for _, h := range f.servers[0].hardware {
			if h.condition != healthyCondition {
				t.Errorf("%s: the engine's condition stays %+v", name, h.condition)
			}
		}
	}
}
