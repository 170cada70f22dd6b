package diagnose

import (
	"testing"

	"github.com/prometheus/prometheus/model/labels"
)

// Series of one subject are one subject, whatever else their labels say; those that differ in a label of the subject are not.
func TestSeriesOfASubjectMeetIt(t *testing.T) {
	c := &computation{Facts: &Facts{subjects: map[Subject]*subjectFacts{}}}
	first := labels.FromStrings("instance", "gpu-a:8000", "model_name", "m")
	once, again := c.meetSeries(Replica, first), c.meetSeries(Replica, first.Copy())
	named := c.meetSeries(Replica, labels.FromStrings("instance", "gpu-a:8000", "model_name", "m", "engine", "0"))
	other := c.meetSeries(Replica, labels.FromStrings("instance", "gpu-a:8000", "model_name", "m", "engine", "1"))
	if once.subjectFacts != again.subjectFacts || once.subjectFacts != named.subjectFacts || once.Subject != named.Subject {
		t.Errorf("one engine is %v, %v and %v", once.Subject, again.Subject, named.Subject)
	}
	if other.subjectFacts == once.subjectFacts || other.Engine != "1" {
		t.Errorf("engine 1 is %v", other.Subject)
	}
	if c.meetSeries(Server, first).Level != Server { // the same labels
		t.Error("a server's series is taken for a replica's")
	}
}
