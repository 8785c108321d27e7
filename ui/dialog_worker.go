package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dtok/kafka"
)

// workerDialog asks in which form a worker's configuration goes where. It lies
// over the card and holds no secret itself.
type workerDialog struct {
	form
	kind, to, file *field
}

const workerLabel = "Go"

// The places that a configuration can go to.
const (
	toClipboard = iota
	toFile
)

func newWorkerDialog() *workerDialog {
	d := &workerDialog{
		kind: newChoiceField("Form", labels(kafka.WorkerForms())),
		to:   newChoiceField("To", []option{{label: "the clipboard"}, {label: "a new file"}}),
		file: newTextField("File", "", 500),
	}
	d.file.hint = "A name here means a new file: made with mode 0600, never over one that is there."
	d.form = form{fields: []*field{d.kind, d.to, d.file}, buttons: []string{workerLabel, cancelLabel}}
	d.focusButton(workerLabel)
	return d
}

// handle takes a name that is typed for what it is meant as.
func (d *workerDialog) handle(msg tea.KeyMsg, now time.Time) formResult {
	before := d.file.value()
	done := d.form.handle(msg, now)
	if d.file.value() != before && d.file.value() != "" {
		d.to.chosen = toFile
	}
	return done
}

func (d *workerDialog) name() string { return "Client configuration" }

func (d *workerDialog) lines(m *Model, width int) []string {
	lines := []string{m.th.title.Render("Client configuration for a worker"), ""}
	lines = append(lines, d.view(m.th, width)...)
	lines = append(lines, "")
	return append(lines, mutedLines(m.th, width, "It holds the HMAC. librdkafka, kafka-python, aiokafka, and sarama and kafka-go with "+
		"their own SCRAM cannot sign in with a delegation token: they cannot send tokenauth.")...)
}

// submitWorker puts the configuration where it was asked for.
func (m *Model) submitWorker(d *workerDialog) tea.Cmd {
	path := d.file.value()
	if d.to.chosen == toFile {
		switch {
		case path == "":
			d.file.problem, d.focus = "name a new file", 2
			return nil
		case m.opts.Save == nil:
			d.problem = "files cannot be written here"
			return nil
		}
	}
	m.dialog = nil
	var text []byte
	kafka.WorkerConfig(kafka.WorkerForms()[d.kind.chosen], m.session(), m.card.token.ID, m.card.hmac,
		func(b []byte) { text = append(text, b...) })
	if d.to.chosen == toFile {
		return saveText(m.opts, d, text, m.card.token.ID)
	}
	return copyText(m.opts, "client configuration", text, m.card.token.ID)
}

// saveText writes text with an HMAC in it to the new file that the dialog names,
// and overwrites it in memory afterwards.
func saveText(opts *Options, d *workerDialog, text []byte, token string) tea.Cmd {
	end := copiedMsg{what: "client configuration", token: token, asked: d}
	path := d.file.value()
	return guarded(func() tea.Msg {
		defer clear(text)
		msg := end
		msg.copied, msg.err = Copied{Note: "written to " + path}, opts.Save(path, text)
		return msg
	}, func(err error) tea.Msg {
		msg := end
		msg.err = err
		return msg
	})
}

// notWritten opens the dialog again, to name another file, unless something
// else is on the screen by now.
func (m *Model) notWritten(msg copiedMsg) tea.Cmd {
	text := "not written: " + safeText(msg.err.Error())
	if m.dialog != nil || m.card == nil || m.card.token.ID != msg.token {
		return m.setStatus(statusError, text)
	}
	m.dialog = msg.asked
	msg.asked.file.problem, msg.asked.focus = text, 2
	return nil
}
