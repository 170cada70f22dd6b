package simulate

// telemetryFaults falsify or hide what is scraped. Those who use the servers see nothing of it.
func telemetryFaults() []Scenario {
	templates := load{
		name: "templates", clients: 24, think: 0.1, maxTokens: 64, render: 1.8,
		prompt: lengths{3000, 0.3, 500, 8000}, output: lengths{30, 0.5, 1, 64},
	}
	return []Scenario{
		{
			Name:        "scrape-timeouts",
			Description: "The link to the host carries eight kilobytes a second: the page comes too late, and the server serves as before.",
			Cause:       "A1",
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{slowLink(0, 8e3)},
		},
		{
			Name:        "frontend-blocked",
			Description: "Requests whose template takes two seconds of the API process each: between them it has no time for its page.",
			Cause:       "A1",
			servers:     []deployment{small("gpu-a", chat(0.1))},
			faults:      []fault{moreLoad(0, templates)},
		},
		{
			Name:        "broken-multiprocess",
			Description: "A restart with a broken PROMETHEUS_MULTIPROC_DIR: requests are served, and every vLLM counter stays at 0.",
			Cause:       "A2",
			Restarts:    true,
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{blindRestart(0)},
		},
		{
			Name:        "frozen-page",
			Description: "A proxy before the server hands out the same old page again and again.",
			Cause:       "A3",
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{frozenPage(0)},
		},
		{
			Name:        "exporter-gone",
			Description: "The GPU exporter of the host has ended; the server serves as before.",
			Cause:       "A1",
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{loseExporter(0)},
		},
		{
			Name:        "exporter-frozen",
			Description: "The GPU exporter answers with the same old readings; the server serves as before.",
			Cause:       "A5",
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{staleExporter(0)},
		},
	}
}
