package prom

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/template"
)

// tell fills in the templates of a rule for one series, as Prometheus does.
func (a alert) tell(series labels.Labels, value float64, at time.Time) (alert, annotations map[string]string) {
	read := series.Map()
	delete(read, model.MetricNameLabel)
	expand := func(text string) string { return a.expanded(text, read, value, at) }
	alert, annotations = maps.Clone(read), map[string]string{}
	for _, some := range []map[string]string{a.more, a.rule.Labels} {
		for name, text := range some {
			alert[name] = expand(text)
		}
	}
	alert[model.AlertNameLabel] = a.rule.Alert
	for name, text := range a.rule.Annotations {
		annotations[name] = expand(text)
	}
	return alert, annotations
}

// shortNames are what Prometheus puts before every template.
const shortNames = "{{$labels := .Labels}}{{$externalLabels := .ExternalLabels}}{{$externalURL := .ExternalURL}}{{$value := .Value}}"

// expanded fills in one template. A mistake in it is told in its place; nothing is asked of the data.
func (a alert) expanded(text string, read map[string]string, value float64, at time.Time) string {
	data := template.AlertTemplateData(read, nil, "", promql.Sample{F: value})
	noQuery := func(context.Context, string, time.Time) (promql.Vector, error) {
		return nil, errors.New("query is not available here")
	}
	result, err := template.NewTemplateExpander(context.Background(), shortNames+text, "__alert_"+a.rule.Alert, data, model.TimeFromUnixNano(at.UnixNano()), noQuery, &url.URL{}, nil).Expand()
	if err != nil {
		return fmt.Sprintf("<error expanding template: %v>", err)
	}
	return result
}
