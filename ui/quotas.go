package ui

import (
	"cmp"
	"slices"

	"dtok/kafka"
)

// quotasPane is the tab of a user's quotas: what applies, and below it every
// entity that touches the user.
type quotasPane struct {
	owner kafka.Principal
	known kafka.QuotaList
	rows  []quotaRow
	list  list
	reading
}

// quotaRow is one value of one entity.
type quotaRow struct {
	entity kafka.Entity
	value  kafka.QuotaValue
	// on is the entity for people, and id identifies the row; both are made
	// once, because sorting and filtering look at every row.
	on, id string
}

// The columns of the quotas.
const (
	byLevel = iota
	byEntity
	byKey
	byValue
	quotaSorts
)

var _ pane = (*quotasPane)(nil)

func (p *quotasPane) state() *list   { return &p.list }
func (p *quotasPane) last() *reading { return &p.reading }

// set replaces the quotas and keeps the cursor on its value.
func (p *quotasPane) set(l kafka.QuotaList, height int) {
	p.known = l
	p.rows = p.rows[:0]
	for _, e := range l.Entities {
		on := e.Entity.String()
		for _, v := range e.Values {
			p.rows = append(p.rows, quotaRow{entity: e.Entity, value: v, on: on, id: on + "\x00" + v.Key})
		}
	}
	p.sort(height)
}

func (p *quotasPane) sort(height int) {
	slices.SortStableFunc(p.rows, func(a, b quotaRow) int {
		level := cmp.Compare(a.entity.Level(), b.entity.Level())
		entity := cmp.Compare(a.on, b.on)
		key := cmp.Compare(a.value.Key, b.value.Key)
		by := level
		switch p.list.sortBy {
		case byEntity:
			by = entity
		case byKey:
			by = key
		case byValue:
			by = cmp.Compare(a.value.Value, b.value.Value)
		}
		c := cmp.Or(by, level, entity, key)
		if p.list.reverse {
			return -c
		}
		return c
	})
	p.filter(p.list.filter, height)
}

func (p *quotasPane) order(reverse bool, height int) {
	p.list.order(reverse, (p.list.sortBy+1)%quotaSorts)
	p.sort(height)
}

// filter shows the values whose entity or key holds the text.
func (p *quotasPane) filter(text string, height int) {
	needle := foldNeedle(text)
	p.list.filter = text
	shown := make([]int32, 0, len(p.rows))
	for i := range p.rows {
		if needle == "" || containsFold(p.rows[i].on, needle) || containsFold(p.rows[i].value.Key, needle) {
			shown = append(shown, int32(i))
		}
	}
	p.list.shown = shown
	p.list.settle(height, p.key)
}

// key identifies a row.
func (p *quotasPane) key(row int) string { return p.rows[row].id }

// current is the value under the cursor.
func (p *quotasPane) current() (quotaRow, bool) {
	if len(p.list.shown) == 0 {
		return quotaRow{}, false
	}
	return p.rows[p.list.shown[p.list.cursor]], true
}

// changeQuota shows a value that was set, or removed for nil, without a reading.
func (p *quotasPane) changeQuota(e kafka.Entity, key string, after *float64, height int) {
	l := p.known
	l.Entities = slices.Clone(l.Entities)
	at := slices.IndexFunc(l.Entities, func(q kafka.QuotaEntity) bool { return q.Entity == e })
	if at < 0 {
		l.Entities = append(l.Entities, kafka.QuotaEntity{Entity: e})
		at = len(l.Entities) - 1
	}
	values := slices.DeleteFunc(slices.Clone(l.Entities[at].Values), func(v kafka.QuotaValue) bool { return v.Key == key })
	if after != nil {
		values = append(values, kafka.QuotaValue{Key: key, Value: *after})
	}
	l.Entities[at].Values = values
	p.set(l, height)
}
