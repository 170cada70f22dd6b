// Package ui is what people see: a dashboard that draws reports.
//
// One Bubble Tea model holds the newest *diagnose.Report and how it is looked at: page, pane, selection, filter, sorting, pause.
// Messages come in at Update, which only routes them; keys are declared once, in keys.go, with what they do. A page is a row in
// page.go: panes below each other. A pane knows its rectangle and the scene (the report and how to look at it) and answers with
// lines; layout.go alone decides who gets how many. Every text goes to the screen through a line, which makes it harmless, cuts
// it to its cell and styles it. What waits or works is a command (commands.go): for the next report, for a deed, for a report
// that is late. Nothing else ticks.
//
// Read first: model.go, update.go, page.go, line.go.
package ui
