package ui

import (
	"cmp"
	"strings"
)

// shortTitle is a signal's title as the head of a narrow column: its own where there is no shorter one.
func (s *scene) shortTitle(signal string) string {
	if known := s.report.Book().Signal(signal); known != nil {
		return cmp.Or(shortTitles[signal], shortGPUTitles[signal], pastTitles[past(signal)], known.Title)
	}
	return "value"
}

// past is the end of the name of a signal that tells how another one was.
func past(signal string) string { return signal[strings.LastIndexByte(signal, '_')+1:] }

// pastTitles are those of the pasts, which stand below the signal that they are of.
var pastTitles = map[string]string{"recorded": "recorded", "day": "last day", "life": "from start", "hour": "last hour"}
