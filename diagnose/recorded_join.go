package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// labelsOf are the labels that tell subjects of a level apart.
func labelsOf(level Level) string { return grouping.Replace("$" + level.String()) }

// keysOf are the labels by which a subject of a level belongs to its target. The namespace of a GPU's series may be the workload's.
func keysOf(level Level) string {
	if level == GPU {
		return "cluster, job, instance"
	}
	return targetLabels
}

// servedLabels name the server of a GPU beside the labels of its own target.
const servedLabels = "cluster, server_namespace, server_job, server_instance"

// present records which subjects of a level there are.
func (r *recorder) present(level Level) string {
	return r.helper(SeriesOf(level, "present"), func() string {
		switch level {
		case Target:
			if r.jobs != "" {
				return fmt.Sprintf("group by(%s) (up{job=~%q})", targetLabels, r.jobs)
			}
			return fmt.Sprintf("group by(%s) (up and on(%s) (%s or %s))", targetLabels, keysOf(GPU), r.withinHour(replicasExpr), r.withinHour(gpuRowsNow))
		case Server:
			return fmt.Sprintf("group by(%s) (%s) and on(%s) %s", labelsOf(Server), r.resolve(serversExpr, 0), targetLabels, r.present(Target))
		case Replica:
			return r.resolve(replicasExpr, 0)
		case GPU:
			return fmt.Sprintf("group by(%s) (%s)", labelsOf(GPU), r.resolve(gpusExpr, 0))
		}
		return "group by(model_name) (" + r.present(Replica) + ")"
	})
}

// withinHour is whatever had any of the families of an expression in the last hour.
func (r *recorder) withinHour(expr string) string {
	families := familiesOf(r.resolve(expr, 0))
	slices.Sort(families)
	families = slices.DeleteFunc(slices.Compact(families), func(name string) bool { return strings.HasPrefix(name, "vllmscope_") })
	return fmt.Sprintf("last_over_time({__name__=~%q}[1h])", strings.Join(families, "|"))
}

// join says a series of one level for the subjects of another that read it.
func (r *recorder) join(series string, from, to Level) (expr, why string) {
	switch {
	case from == GPU && (to == Server || to == Target): // a target that has GPUs is a server's
		return r.across(series), ""
	case from == Server && to == GPU:
		return fmt.Sprintf("max by(%s) (%s * on(%s) group_left() %s)", labelsOf(GPU), r.servers(), servedLabels, asServed(series)), ""
	case from == Model:
		return fmt.Sprintf("%s * on(model_name) group_left() %s", r.present(to), series), ""
	case to == GPU:
		return fmt.Sprintf("%s * on(%s) group_left() max by(%s) (%s)", r.present(GPU), keysOf(GPU), keysOf(GPU), series), ""
	case to == Model:
		return "", "is of another level"
	}
	return fmt.Sprintf("%s * on(%s) group_left() %s", r.present(to), targetLabels, series), ""
}

// across makes one number of those of a server's GPUs.
func (r *recorder) across(series string) string {
	id := series[strings.LastIndex(series, ":")+1:]
	aggregate := map[Across]string{Mean: "avg", Highest: "max", Lowest: "min"}[r.book.Signal(id).Across]
	return ofServers(fmt.Sprintf("%s by(%s) (%s * on(%s) group_left(%s) %s)",
		aggregate, servedLabels, series, labelsOf(GPU), servedLabels[len("cluster, "):], r.servers()))
}

// relabel copies labels under other names, the values that match a pattern.
func relabel(expr string, copies ...[3]string) string {
	for _, c := range copies {
		expr = fmt.Sprintf(`label_replace(%s, %q, "$1", %q, %q)`, expr, c[0], c[1], c[2])
	}
	return expr
}

const anything = "(.*)"

// ofServers gives a series about the servers of GPUs the labels of those servers.
func ofServers(expr string) string {
	return fmt.Sprintf("max by(%s) (%s)", targetLabels, relabel(expr, [3]string{"instance", "server_instance", anything},
		[3]string{"job", "server_job", anything}, [3]string{"namespace", "server_namespace", anything}))
}

// asServed gives a series of servers the labels under which GPUs name them.
func asServed(expr string) string {
	return fmt.Sprintf("max by(%s) (%s)", servedLabels, servedCopies(expr))
}

func servedCopies(expr string) string {
	return relabel(expr, [3]string{"server_instance", "instance", anything},
		[3]string{"server_job", "job", anything}, [3]string{"server_namespace", "namespace", anything})
}

// hostParts are patterns of the host in an address, of loopback names, and of a host without its domain.
const (
	hostPart     = `\[?(.+?)\]?(?::[0-9]+)?`
	loopbackHost = `localhost|127\..*|::1`
	shortPart    = `([^.:]+)(?:\..*)?`
	numericHost  = `([0-9.]+|.*:.*)`
)

// hosts puts the host of an address and its short name beside the labels of a series.
func hosts(expr, short string) string {
	expr = relabel(expr, [3]string{"host", "instance", hostPart})
	expr = fmt.Sprintf(`label_replace(%s, "host", "localhost", "host", %q)`, expr, loopbackHost)
	return relabel(expr, [3]string{"short_host", short, shortPart}, [3]string{"short_host", short, numericHost})
}

// serverHosts records where each server is, under the labels by which GPUs name it.
func (r *recorder) serverHosts() string {
	return r.helper(SeriesOf(Server, "host"), func() string {
		expr := relabel(hosts(servedCopies(r.resolve(serversExpr, 0)), "host"),
			[3]string{"workload_pod", "pod", "(.+)"}, [3]string{"workload_namespace", "namespace", "(.+)"})
		return fmt.Sprintf("group by(%s, host, short_host, workload_pod, workload_namespace) (%s)", servedLabels, expr)
	})
}

// devices records where each GPU is, and the workload that holds it. A device whose MIG slices are listed is left out.
func (r *recorder) devices() string {
	all := r.helper(SeriesOf(GPU, "host"), func() string {
		expr := relabel(hosts(r.resolve(gpusExpr, 0), "Hostname"),
			[3]string{"workload_pod", "pod", "(.+)"}, [3]string{"workload_namespace", "namespace", "(.+)"},
			[3]string{"workload_pod", "exported_pod", "(.+)"}, [3]string{"workload_namespace", "exported_namespace", "(.+)"})
		return fmt.Sprintf("group by(%s, host, short_host, workload_pod, workload_namespace) (%s)", labelsOf(GPU), expr)
	})
	return r.helper(SeriesOf(GPU, "device"), func() string {
		return fmt.Sprintf(`%s{GPU_I_ID!=""} or (%s{GPU_I_ID=""} unless on(UUID) %s{GPU_I_ID!=""})`, all, all, all)
	})
}

// servers records the server of each GPU: by the user's word, by the pod, by the host, as newTopology does. A GPU that several servers
// could use has none.
func (r *recorder) servers() string {
	candidates := r.helper(SeriesOf(GPU, "candidate"), func() string {
		host := fmt.Sprintf("(%s or %s) unless on(%s) (%s or %s)", r.placed("", "host"), r.placed("", "short_host"), labelsOf(GPU),
			r.crowded("host"), r.crowded("short_host"))
		ways := []string{r.placed(`workload_pod!=""`, "workload_pod", "workload_namespace"), "(" + host + ")"}
		if word := r.usersWord(); word != "" {
			ways = slices.Insert(ways, 0, "("+word+")")
		}
		if len(r.settings.GPUTargets) > 0 {
			ways = append(ways, r.placed(`instance=~`+quotedAny(r.settings.GPUTargets)))
		}
		return strings.Join(ways, " or on("+labelsOf(GPU)+") ")
	})
	return r.helper(SeriesOf(GPU, "server"), func() string {
		return fmt.Sprintf("%s and on(%s) (count by(%s) (%s) == 1)", candidates, labelsOf(GPU), labelsOf(GPU), candidates)
	})
}

// placed gives the devices with a label the one server that has the same values of some labels.
func (r *recorder) placed(matchers string, keys ...string) string {
	on := strings.Join(append([]string{"cluster"}, keys...), ", ")
	servers := r.serverHosts() + present(keys)
	return fmt.Sprintf("max by(%s, %s) (%s{%s} * on(%s) group_left(%s) (%s unless on(%s) (count by(%s) (%s) > 1)))",
		labelsOf(GPU), servedLabels[len("cluster, "):], r.devices(), matchers, on, servedLabels[len("cluster, "):], servers, on, on, servers)
}

// crowded are the devices that several servers share a label with.
func (r *recorder) crowded(key string) string {
	return fmt.Sprintf("%s and on(cluster, %s) (count by(cluster, %s) (%s) > 1)", r.devices(), key, key, r.serverHosts()+present([]string{key}))
}

// present is a matcher for series that have all of some labels.
func present(keys []string) string {
	var matchers []string
	for _, key := range keys {
		if key != "workload_namespace" {
			matchers = append(matchers, key+`!=""`)
		}
	}
	return "{" + strings.Join(matchers, ",") + "}"
}

// usersWord are the GPUs that the configuration gives to a server.
func (r *recorder) usersWord() string {
	var words []string
	for _, p := range r.settings.Placements {
		var matchers []string
		if len(p.GPUs) > 0 {
			matchers = append(matchers, "instance=~"+quotedAny(p.GPUs))
		}
		if len(p.UUIDs) > 0 {
			matchers = append(matchers, "UUID=~"+quotedAny(p.UUIDs))
		}
		if len(matchers) == 0 {
			continue
		}
		server := fmt.Sprintf("%s{server_instance=%q}", r.serverHosts(), p.Server)
		words = append(words, fmt.Sprintf("max by(%s, %s) (%s{%s} * on(cluster) group_left(%s) (%s unless on(cluster) (count by(cluster) (%s) > 1)))",
			labelsOf(GPU), servedLabels[len("cluster, "):], r.devices(), strings.Join(matchers, ","), servedLabels[len("cluster, "):], server, server))
	}
	return strings.Join(words, " or ")
}
