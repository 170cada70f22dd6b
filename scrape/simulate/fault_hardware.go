package simulate

// onDevices is a fault of devices of a server's engines: of those at these places among all, or of all without any.
func onDevices(index int, places []int, strike func(d *device, strength float64), relieve func(d *device)) fault {
	return onServer(index, func(s *server, strength float64) func() {
		chosen := s.devices()
		if len(places) > 0 {
			chosen = nil
			for _, i := range places {
				chosen = append(chosen, s.devices()[i])
			}
		}
		for _, d := range chosen {
			strike(d, strength)
		}
		return func() {
			for _, d := range chosen {
				relieve(d)
			}
		}
	})
}

// devices are those of all engines of the server.
func (s *server) devices() []*device {
	var all []*device
	for _, h := range s.hardware {
		all = append(all, h.members...)
	}
	return all
}

// blockedAir makes the way of heat out of a device so many times as hard, as a dead fan or a covered inlet does.
func blockedAir(index int, resistance float64, places ...int) fault {
	return onDevices(
		index, places,
		func(d *device, strength float64) { d.resistance = 1 + (resistance-1)*strength },
		func(d *device) { d.resistance = 1 },
	)
}

// lowerLimit takes a share of the power limit away, as nvidia-smi -pl does.
func lowerLimit(index int, share float64, places ...int) fault {
	return onDevices(
		index, places,
		func(d *device, strength float64) { d.limit = d.accelerator.power * (1 - share*strength) },
		func(d *device) { d.limit = d.accelerator.power },
	)
}

// powerBrakeAsserted is the power supply asking all devices of a server to draw less at once: their clock falls to half or
// less.
func powerBrakeAsserted(index int) fault {
	return onDevices(
		index, nil,
		func(d *device, strength float64) { d.brake = min(slowedShare, 0.4/strength) },
		func(d *device) { d.brake = 1 },
	)
}

// lockedClock is an operator's nvidia-smi -lgc that nobody took back.
func lockedClock(index int, share float64, places ...int) fault {
	return onDevices(
		index, places,
		func(d *device, strength float64) { d.lock = max(restMHz/d.clock, 1-(1-share)*strength) },
		func(d *device) { d.lock = 1 },
	)
}

// lostLanes is a PCIe link that was trained anew with fewer lanes: 16, 8, 4, 2 or 1 remain.
func lostLanes(index, left int, places ...int) fault {
	return onDevices(
		index, places,
		func(d *device, _ float64) { d.lost = fullWidth - left },
		func(d *device) { d.lost = 0 },
	)
}

// slowMemory is a device whose memory stays at a low clock.
func slowMemory(index int, share float64, places ...int) fault {
	return onDevices(
		index, places,
		func(d *device, strength float64) { d.memoryClock = 1 - (1-share)*strength },
		func(d *device) { d.memoryClock = 1 },
	)
}

// otherProcess is a stranger that computes on a device beside the engine and holds memory there.
func otherProcess(index int, who stranger, places ...int) fault {
	return onDevices(
		index, places,
		func(d *device, strength float64) {
			d.stranger.work.add(who.work, strength)
			d.stranger.memory = who.memory
		},
		func(d *device) { d.stranger = stranger{} },
	)
}

// gpuLost is a device whose driver gets no answer any more: its rank blocks for ever, and the others spin in a collective.
func gpuLost(index, place, xid int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		d := s.devices()[place]
		d.xid, d.dead = xid, true
		for _, e := range s.frontend.engines {
			e.wedge()
		}
		return nil
	})
}

// kernelCrash is an illegal access of the program itself: the driver reports it, the CUDA context is gone, and with it the
// engine.
func kernelCrash(index, place, xid int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		s.devices()[place].xid = xid
		s.engineDied()
		return nil
	})
}

// slowHost makes the host's part of each step take so many times as long.
func slowHost(index int, times float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		set := func(host float64) {
			for _, h := range s.hardware {
				h.condition.host = host
			}
		}
		set(times * strength)
		return func() { set(healthyCondition.host) }
	})
}
