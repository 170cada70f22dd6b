package diagnose

import (
	"fmt"
	"time"
)

// setting says, for subjects of a level, a value that the user gives or that follows from what is known of them.
func (r *recorder) setting(name string, level Level) (expr, why string) {
	switch name {
	case "watched_seconds":
		return r.watchedAt(level), ""
	case "observed_seconds":
		return fmt.Sprintf("%s * scalar(%s)", r.present(level), r.observed()), ""
	case "silent_exporter":
		if level != Target {
			return r.join(r.silent(), Target, level)
		}
		return r.silent(), ""
	case "silent_exporters":
		return fmt.Sprintf("%s * scalar(sum(%s))", r.present(level), r.silent()), ""
	case "mapped_gpus":
		counted := ofServers(fmt.Sprintf("count by(%s) (%s)", servedLabels, r.servers()))
		return fmt.Sprintf("%s * on(%s) group_left() (%s or 0 * %s)", r.present(level), targetLabels, counted, r.present(Server)), ""
	case "unmapped_gpus":
		count := func(series string) string { return fmt.Sprintf("scalar(count(%s) or vector(0))", series) }
		return fmt.Sprintf("%s * (%s - %s)", r.present(level), count(fmt.Sprintf("group by(%s) (%s)", labelsOf(GPU), r.devices())), count(r.servers())), ""
	}
	return r.told(name, level)
}

// watched records of how much of the window of rates something is known of a target, as Facts.watched reckons it.
func (r *recorder) watched() string {
	return r.helper(SeriesOf(Target, "watched"), func() string {
		step := seconds(r.settings.Step)
		n, _ := r.signal("scrapes", Target)
		first, _ := r.signal("first_page", Target)
		renewed, _ := r.signal("new_processes", Target)
		return fmt.Sprintf("%s * (clamp_max(%s * (%s - 1 - (%s > 0)) / (time() - %s > 0), 1) or 1 + 0 * %s) > 0",
			r.extended(n, first), step, n, renewed, first, r.present(Target))
	})
}

// extended records the span of the pages as a rate takes it, as Facts.extended reckons it.
func (r *recorder) extended(n, first string) string {
	return r.helper(SeriesOf(Target, "seen"), func() string {
		window, step := r.settings.window(0), r.settings.Step
		span := "(time() - " + first + ")"
		return fmt.Sprintf("%s + 0 * (%s >= %s) or clamp_min(%s * (1 + 0.5 / (%s - 1 > 0)), %s) or %s + 0 * %s + %s or %s * %s",
			seconds(window), span, seconds(window-step), span, n, seconds(step/2), span, n, seconds(step/2), r.present(Target), seconds(window))
	})
}

func (r *recorder) watchedAt(level Level) string {
	switch level {
	case Target:
		return r.watched()
	case Model:
		return r.present(Model) + " * " + seconds(r.settings.window(0))
	}
	expr, _ := r.join(r.watched(), Target, level)
	return expr
}

func seconds(d time.Duration) string { return trimNumber(d.Seconds()) }

// observed records how long the servers have been seen, to the minute and no longer than the longest window that a rule asks for.
func (r *recorder) observed() string {
	return r.helper(SeriesOf(Fleet, "observed_seconds"), func() string {
		return "time() - min(min_over_time(timestamp(vllm:time_to_first_token_seconds_count)[6h:1m]))"
	})
}

// silent records which targets exported GPU metrics within the hour, or are named as such exporters, and do not answer.
func (r *recorder) silent() string {
	return r.helper(SeriesOf(Target, "silent"), func() string {
		up, _ := r.signal("up", Target)
		known := fmt.Sprintf(`on(%s) (vllmscope_target_info{kind=~"dcgm|nvidia-smi"} or %s)`, keysOf(GPU), r.withinHour(gpuRowsNow))
		down := fmt.Sprintf("(%s == 0 and %s)", up, known)
		if len(r.settings.GPUTargets) > 0 {
			down += fmt.Sprintf(` or (%s{instance=~%s} == 0)`, up, quotedAny(r.settings.GPUTargets))
		}
		return fmt.Sprintf("group by(%s) (%s) or 0 * %s", targetLabels, down, r.present(Target))
	})
}

// quotedAny is a pattern of some texts, in quotes.
func quotedAny(texts []string) string { return fmt.Sprintf("%q", anyOf(texts)) }
