package contract

import (
	"context"
	"strings"

	"dtok/kafka"
	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func (e *env) setQuota(c *kafka.Client, entity kafka.Entity, key string, value float64) kafka.QuotaChanged {
	e.Helper()
	done, err := c.SetQuota(context.Background(), kafka.QuotaChange{Entity: entity, Key: key, Value: value})
	if err != nil {
		e.Fatal(err)
	}
	if done.BeforeErr != nil || done.After == nil || *done.After != value {
		e.Fatalf("%s of %s was set to %v: %+v", key, entity, value, done)
	}
	return done
}

func (e *env) readQuotas(c *kafka.Client, user string) kafka.QuotaList {
	e.Helper()
	l, err := c.Quotas(context.Background(), kafka.UserPrincipal(user))
	if err != nil {
		e.Fatal(err)
	}
	return l
}

// arrives waits until the broker lists a value.
func (e *env) arrives(c *kafka.Client, user string, entity kafka.Entity, key string, value float64) {
	e.Helper()
	e.await("the quota is read", arrival, func() bool {
		v, ok := e.readQuotas(c, user).Value(entity, key)
		return ok && v == value
	})
}

func dtokQuotas(e *env) {
	c := e.dtok(apache.Admin)
	const key = kafka.QuotaProducerBytes
	for _, user := range []string{e.fresh("u"), "CN=" + e.fresh("u") + ",OU=a b:c%3D@x/y", "<default>-" + e.fresh("ü"), "<default>"} {
		app := e.fresh("app")
		named := kafka.NamedPart(user)
		entities := []kafka.Entity{{User: named, ClientID: kafka.NamedPart(app)}, {User: named, ClientID: kafka.DefaultPart()}, {User: named}}
		for i, entity := range entities {
			done := e.setQuota(c, entity, key, 1)
			equal(e, "value before", done.Before, nil)
			e.arrives(c, user, entity, key, 1)
			done = e.setQuota(c, entity, key, float64(1000*(i+1)))
			equal(e, "value before", *done.Before, 1)
			e.arrives(c, user, entity, key, float64(1000*(i+1)))
		}
		for i, entity := range entities {
			got := e.readQuotas(c, user).Effective(kafka.NamedPart(app))[0]
			equal(e, "effective", got, kafka.EffectiveQuota{Key: key, Limited: true, Value: float64(1000 * (i + 1)), From: entity, Level: kafka.QuotaLevel(i + 1)})
			done, err := c.RemoveQuota(context.Background(), kafka.QuotaChange{Entity: entity, Key: key})
			if err != nil {
				e.Fatal(err)
			}
			equal(e, "before the removal", *done.Before, float64(1000*(i+1)))
			equal(e, "after the removal", done.After, nil)
			e.await("it is gone", arrival, func() bool { _, there := e.readQuotas(c, user).Value(entity, key); return !there })
		}
	}
	// The literal name has not touched the default, nor the other way round.
	for _, entity := range []kafka.Entity{{User: kafka.DefaultPart()}, {ClientID: kafka.DefaultPart()}} {
		if v, there := e.readQuotas(c, "x").Value(entity, key); there {
			e.Errorf("%s has %v", entity, v)
		}
	}
	done, err := c.RemoveQuota(context.Background(), kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart(e.fresh("u"))}, Key: "not.there"})
	if err != nil || done.Before != nil {
		e.Errorf("removing what is not there: %+v, %v", done, err)
	}
}

func dtokQuotaRefused(e *env) {
	c, user := e.dtok(apache.Admin), e.fresh("u")
	for _, test := range []struct {
		change kafka.QuotaChange
		want   string
	}{
		{kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart(user)}, Key: "nope", Value: 1}, "Invalid configuration key nope"},
		{kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart("")}, Key: kafka.QuotaMutations, Value: 1}, "Empty user not supported"},
		{kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart(user)}, Key: "connection_creation_rate", Value: 1}, "Invalid configuration key connection_creation_rate"},
	} {
		_, err := c.SetQuota(context.Background(), test.change)
		equal(e, "code", code(e, err), kafka.CodeInvalidRequest)
		if !strings.Contains(err.Error(), test.want) {
			e.Errorf("%v does not say %q", err, test.want)
		}
	}
	equal(e, "quotas", len(e.admin().quotas(false, exact("user", user))), 0)
}

func dtokNoQuotas(e *env) {
	c := e.dtok(apache.Admin)
	_, err := c.Quotas(context.Background(), kafka.UserPrincipal("x"))
	equal(e, "read", expect[*kafka.UnsupportedError](e, err).Needs, "2.6")
	change := kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart("x")}, Key: kafka.QuotaMutations, Value: 1}
	_, err = c.SetQuota(context.Background(), change)
	equal(e, "set", expect[*kafka.UnsupportedError](e, err).Needs, "2.6")
	_, err = c.RemoveQuota(context.Background(), change)
	equal(e, "remove", expect[*kafka.UnsupportedError](e, err).Needs, "2.6")
}

func dtokQuotaRights(e *env) {
	user := e.user()
	c := e.dtok(user)
	change := kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart(user)}, Key: kafka.QuotaMutations, Value: 1}
	_, err := c.Quotas(context.Background(), kafka.UserPrincipal(user))
	equal(e, "read", code(e, err), kafka.CodeClusterAuth)
	_, err = c.SetQuota(context.Background(), change)
	equal(e, "set", code(e, err), kafka.CodeClusterAuth)
	_, err = c.RemoveQuota(context.Background(), change)
	equal(e, "remove", code(e, err), kafka.CodeClusterAuth)
	// AlterConfigs implies DescribeConfigs, unless that is denied: then the
	// change works and the value before is not known.
	admin := e.dtok(apache.Admin)
	cluster := aclRule(kafka.ResourceCluster, kafka.ClusterName, "User:"+user, kafka.OperationAlterConfigs)
	describe := cluster
	describe.Operation, describe.Permission = kafka.OperationDescribeConfigs, kafka.PermissionDeny
	e.addRules(admin, cluster, describe)
	e.await("the rules work", arrival, func() bool {
		_, err = c.SetQuota(context.Background(), change)
		return err == nil
	})
	change.Value = 2
	done, err := c.SetQuota(context.Background(), change)
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "why the value before is not known", code(e, done.BeforeErr), kafka.CodeClusterAuth)
	equal(e, "quotas", len(quotaLines(do[*kmsg.DescribeClientQuotasResponse](e.admin(), quotasRequest(true, exact("user", user))))) <= 1, true)
	_, err = admin.RemoveQuota(context.Background(), change)
	if err != nil {
		e.Fatal(err)
	}
}
