package main

import (
	"dtok/audit"
	"dtok/kafka"
	"dtok/ui"
)

// broker is one connection as the screens use it: reads go to the client,
// through the audit trail where that is asked for, changes through the audit
// trail and the read-only gate first.
type broker struct {
	ui.Reads
	ui.Changes
	client *kafka.Client
}

func (b broker) Session() kafka.Session { return b.client.Session() }
func (b broker) Close()                 { b.client.Close() }

// broker puts the gate and the trail around a connection. The trail comes
// first, so that it also records what the gate refuses.
func newBroker(client *kafka.Client, trail *audit.Trail, e ui.Environment, auditReads bool) ui.Broker {
	var changes kafka.Changer = client
	if e.ReadOnly != "" {
		changes = kafka.ReadOnly{Reason: e.ReadOnly}
	}
	var reads ui.Reads = client
	if auditReads {
		reads = audit.NewReads(trail, client, client.Session, e.Name)
	}
	return broker{
		Reads:   reads,
		Changes: audit.NewRecorder(trail, changes, client.Session, e.Name),
		client:  client,
	}
}
