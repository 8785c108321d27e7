package faults

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
	"dtok/kafka/demo"
)

// operation is something that dtok does with a cluster.
type operation struct {
	name string
	// kind is how the audit trail names it, "" where it is not recorded.
	kind kafka.Op
	// changes are the keys of the requests with which it changes the cluster,
	// none for a reading.
	changes []int16
	// young is set where the first change is refused with 62.
	young bool
	// prepare goes before, and not through the fault.
	prepare func(context.Context, *world) error
	act     func(context.Context, *world) (any, error)
	// once says why the cluster is not as it is when the change was made once,
	// as it was asked for, and nothing else was.
	once func(before, after cluster) error
	// agrees says why the result of a success is not what the cluster holds.
	agrees func(w *world, now cluster, result any) error
}

const opDial, opTestSignIn, opWrongOwner = "dial", "test sign-in", "create token for the wrong owner"

// hours is what a token is renewed for, and a new one may live.
var hours = kafka.PeriodOf(5 * time.Hour)

var operations = []operation{
	{name: opDial, act: func(ctx context.Context, w *world) (any, error) {
		client, err := kafka.Dial(ctx, w.settings)
		if err != nil {
			return nil, err
		}
		w.wire(client)
		return client.Session(), nil
	}, agrees: func(_ *world, _ cluster, result any) error {
		if s := result.(kafka.Session); s.Principal != kafka.UserPrincipal(user) || s.Off != nil {
			return fmt.Errorf("the session is %+v", s)
		}
		return nil
	}},

	{name: "list users", kind: "list users", act: func(ctx context.Context, w *world) (any, error) { return w.reads.Users(ctx) }, agrees: usersAgree},
	{name: "list tokens", kind: kafka.OpListTokens, act: func(ctx context.Context, w *world) (any, error) { return w.reads.Tokens(ctx, kafka.Principal{}) },
		agrees: func(_ *world, now cluster, result any) error {
			return sameTokens(result.(kafka.TokenList).Tokens, now)
		}},
	{name: "list rules", act: func(ctx context.Context, w *world) (any, error) { return w.reads.Rules(ctx, alice) },
		agrees: func(_ *world, now cluster, result any) error {
			if l := result.(kafka.RuleList); l.Failed[kafka.OnUser] == nil && !slices.Equal(l.On, now.rules) {
				return fmt.Errorf("the rules are %v", l.On)
			}
			return nil
		}},
	{name: "list quotas", act: func(ctx context.Context, w *world) (any, error) { return w.reads.Quotas(ctx, alice) },
		agrees: func(_ *world, now cluster, result any) error {
			got := map[string]float64{}
			for _, q := range result.(kafka.QuotaList).Entities {
				for _, v := range q.Values {
					got[q.Entity.String()+" "+v.Key] = v.Value
				}
			}
			if !maps.Equal(got, now.quotas) {
				return fmt.Errorf("the quotas are %v", got)
			}
			return nil
		}},
	{name: opTestSignIn, kind: kafka.OpTestSignIn, act: func(ctx context.Context, w *world) (any, error) {
		return w.reads.TestSignIn(ctx, w.target, w.hmac.Clone())
	}, agrees: func(w *world, _ cluster, result any) error {
		if s := result.(kafka.SignIn); s.Lifetime != time.Hour {
			return fmt.Errorf("the sign-in is %+v", s)
		}
		for _, r := range w.broker.Requests() {
			if r.TokenAuth && r.Principal == alice {
				return nil
			}
		}
		return errors.New("nobody signed in with the token and asked something")
	}},

	{name: "create token", kind: kafka.OpCreateToken, changes: []int16{38}, act: create, once: oneMore, agrees: createdAgrees},
	{name: opWrongOwner, kind: kafka.OpCreateToken, changes: []int16{38, 40},
		prepare: func(_ context.Context, w *world) error {
			w.broker.Inject(demo.Fault{Key: 38, Edit: func(r kmsg.Response) {
				r.(*kmsg.CreateDelegationTokenResponse).PrincipalName = mallory.Name
			}})
			return nil
		}, act: create, once: oneMore,
		agrees: func(*world, cluster, any) error {
			return errors.New("a token for somebody else passed as the one asked for")
		}},
	{name: "renew token", kind: kafka.OpRenewToken, changes: []int16{39}, act: renew, once: renewed(targetID), agrees: renewedAgrees},
	{name: "renew young token", kind: kafka.OpRenewToken, changes: []int16{39}, young: true, prepare: young(39), act: renew, once: renewed(""), agrees: renewedAgrees},
	{name: "expire token", kind: kafka.OpExpireToken, changes: []int16{40}, act: expire, once: gone(targetID), agrees: expiredAgrees},
	{name: "expire young token", kind: kafka.OpExpireToken, changes: []int16{40}, young: true, prepare: young(40), act: expire, once: gone(""), agrees: expiredAgrees},

	{name: "add rules", kind: kafka.OpAddRules, changes: []int16{30}, act: func(ctx context.Context, w *world) (any, error) {
		return w.changer.AddRules(ctx, kafka.RuleChange{Reason: "a test",
			Rules: []kafka.ACLRule{rightOn(kafka.OperationCreateTokens), rightOn(kafka.OperationAll)}})
	}, once: rulesAre(kafka.OperationDescribeTokens, kafka.OperationAlter, kafka.OperationCreateTokens, kafka.OperationAll), agrees: rulesAgree(false, true)},
	{name: "delete rules", kind: kafka.OpDeleteRules, changes: []int16{31}, act: func(ctx context.Context, w *world) (any, error) {
		return w.changer.DeleteRules(ctx, kafka.RuleChange{Reason: "a test",
			Rules: []kafka.ACLRule{rightOn(kafka.OperationDescribeTokens), rightOn(kafka.OperationAlter)}})
	}, once: rulesAre(), agrees: rulesAgree(true, false)},

	{name: "set quota", kind: kafka.OpSetQuota, changes: []int16{49}, act: func(ctx context.Context, w *world) (any, error) {
		return w.changer.SetQuota(ctx, quotaOf(kafka.QuotaProducerBytes, 2000))
	}, once: quotasAre(map[string]float64{"user alice producer_byte_rate": 2000}), agrees: quotaAgrees},
	{name: "remove quota", kind: kafka.OpRemoveQuota, changes: []int16{49}, act: func(ctx context.Context, w *world) (any, error) {
		return w.changer.RemoveQuota(ctx, quotaOf(kafka.QuotaProducerBytes, 0))
	}, once: quotasAre(map[string]float64{}), agrees: quotaAgrees},
}

// operationNamed is an operation, false where there is none of that name.
func operationNamed(name string) (operation, bool) {
	for _, o := range operations {
		if o.name == name {
			return o, true
		}
	}
	return operation{}, false
}

func create(ctx context.Context, w *world) (any, error) {
	made, err := w.changer.CreateToken(ctx, kafka.CreateRequest{Owner: alice, MaxLifetime: hours,
		Renewers: []kafka.Principal{kafka.UserPrincipal(user), bob}})
	return made, err
}

func renew(ctx context.Context, w *world) (any, error) {
	return w.changer.RenewToken(ctx, kafka.RenewRequest{Token: w.target, HMAC: w.hmac.Clone(), Period: hours})
}

func expire(ctx context.Context, w *world) (any, error) {
	return w.changer.ExpireToken(ctx, kafka.ExpireRequest{Token: w.target, HMAC: w.hmac.Clone(), Reason: "a test"})
}

// young makes the target a token that the client has just created and that the
// controller does not know when it is asked the first time.
func young(key int16) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		made, err := w.client.CreateToken(ctx, kafka.CreateRequest{Owner: alice, Renewers: []kafka.Principal{kafka.UserPrincipal(user)}})
		if err != nil {
			return err
		}
		w.target, w.hmac = made.Token, made.HMAC
		made.HMAC.Use(w.secrets.addHMAC)
		w.broker.Inject(demo.Fault{Key: key, Code: int16(kafka.CodeTokenNotFound), Times: 1})
		return nil
	}
}
