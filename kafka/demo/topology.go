package demo

import (
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// nodeID is the id of the only node, which is broker and controller.
const nodeID = 1

// ClusterID is the id of the cluster.
const ClusterID = "ZHRvay1kZW1vLWNsdXN0ZQ"

// Codes about topics and groups.
const (
	codeUnknownTopic   = 3
	codeTopicAuth      = 29
	codeGroupAuth      = 30
	codeUnknownTopicID = 100
)

// clusterOperations are what a session may be told it may do on the cluster.
var clusterOperations = []kmsg.ACLOperation{
	kmsg.ACLOperationCreate, kmsg.ACLOperationClusterAction, describeConfigs, alterConfigs,
	kmsg.ACLOperationIdempotentWrite, alter, describe,
}

// metadata answers Metadata: this node under the address of the listener that
// was asked, and no topic.
func (c *connection) metadata(req *kmsg.MetadataRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.MetadataResponse)
	node := kmsg.NewMetadataResponseBroker()
	node.NodeID, node.Host, node.Port = nodeID, c.listener.host, c.listener.port
	resp.Brokers = []kmsg.MetadataResponseBroker{node}
	resp.ClusterID, resp.ControllerID = kmsg.StringPtr(ClusterID), nodeID
	resp.Topics = []kmsg.MetadataResponseTopic{}
	c.cluster.view(func(s *state, _ int64) {
		if req.IncludeClusterAuthorizedOperations {
			resp.AuthorizedOperations = c.clusterOperations(s)
		}
		for _, t := range req.Topics {
			topic := kmsg.NewMetadataResponseTopic()
			topic.Topic, topic.TopicID = t.Topic, t.TopicID
			switch {
			case t.Topic == nil:
				topic.ErrorCode = codeUnknownTopicID
			case c.may(s, describe, topicResource, *t.Topic):
				topic.ErrorCode = codeUnknownTopic
			default:
				topic.ErrorCode = codeTopicAuth
			}
			resp.Topics = append(resp.Topics, topic)
		}
	})
	return resp
}

func (c *connection) clusterOperations(s *state) int32 {
	if !c.may(s, describe, clusterResource, clusterName) {
		return 0
	}
	return c.operationsOn(s, clusterResource, clusterName, clusterOperations...)
}

// describeCluster answers DescribeCluster.
func (c *connection) describeCluster(req *kmsg.DescribeClusterRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.DescribeClusterResponse)
	resp.ErrorMessage = nil
	if req.Version >= 1 && req.EndpointType != 1 { // 2 asks a controller, which no listener is
		const mismatchedEndpoint, unsupportedEndpoint = 114, 115
		resp.ErrorCode = unsupportedEndpoint
		resp.ErrorMessage = kmsg.StringPtr("Unsupported endpoint type " + strconv.Itoa(int(req.EndpointType)))
		if req.EndpointType == 2 {
			resp.ErrorCode = mismatchedEndpoint
			resp.ErrorMessage = kmsg.StringPtr("The request was sent to an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER")
		}
		return resp
	}
	node := kmsg.NewDescribeClusterResponseBroker()
	node.NodeID, node.Host, node.Port = nodeID, c.listener.host, c.listener.port
	resp.Brokers = []kmsg.DescribeClusterResponseBroker{node}
	resp.ClusterID, resp.ControllerID, resp.EndpointType = ClusterID, nodeID, 1
	if req.IncludeClusterAuthorizedOperations {
		c.cluster.view(func(s *state, _ int64) { resp.ClusterAuthorizedOperations = c.clusterOperations(s) })
	}
	return resp
}

// findCoordinator answers FindCoordinator with this node, for whoever may know
// the group.
func (c *connection) findCoordinator(req *kmsg.FindCoordinatorRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.FindCoordinatorResponse)
	keys := req.CoordinatorKeys
	if req.Version < 4 {
		keys = []string{req.CoordinatorKey}
	}
	c.cluster.view(func(s *state, _ int64) {
		for _, key := range keys {
			found := kmsg.NewFindCoordinatorResponseCoordinator()
			found.Key, found.ErrorMessage = key, new(string)
			if c.may(s, describe, groupResource, key) {
				found.NodeID, found.Host, found.Port = nodeID, c.listener.host, c.listener.port
			} else {
				found.ErrorCode, found.NodeID, found.Port = codeGroupAuth, -1, -1
			}
			resp.Coordinators = append(resp.Coordinators, found)
		}
	})
	if req.Version < 4 {
		found := resp.Coordinators[0]
		resp.ErrorCode, resp.NodeID, resp.Host, resp.Port = found.ErrorCode, found.NodeID, found.Host, found.Port
		resp.ErrorMessage = kmsg.StringPtr("NONE")
		if found.ErrorCode != 0 {
			resp.ErrorMessage = kmsg.StringPtr("Group authorization failed.")
		}
	}
	return resp
}

// describeConfigs answers DescribeConfigs for the node: the settings of
// delegation tokens, the secret key without its value.
func (c *connection) describeConfigs(req *kmsg.DescribeConfigsRequest) kmsg.Response {
	resp := req.ResponseKind().(*kmsg.DescribeConfigsResponse)
	c.cluster.view(func(s *state, _ int64) {
		allowed := c.may(s, describeConfigs, clusterResource, clusterName)
		for _, r := range req.Resources {
			result := kmsg.NewDescribeConfigsResponseResource()
			result.ResourceType, result.ResourceName, result.ErrorMessage = r.ResourceType, r.ResourceName, nil
			switch {
			case r.ResourceType == kmsg.ConfigResourceTypeTopic && c.may(s, describeConfigs, topicResource, r.ResourceName):
				result.ErrorCode, result.ErrorMessage = codeUnknownTopic, new(string)
			case r.ResourceType == kmsg.ConfigResourceTypeTopic:
				result.ErrorCode, result.ErrorMessage = codeTopicAuth, kmsg.StringPtr("Topic authorization failed.")
			case !allowed:
				result.ErrorCode = int16(kafka.CodeClusterAuth)
				result.ErrorMessage = kmsg.StringPtr("Cluster authorization failed.")
			case r.ResourceType == kmsg.ConfigResourceTypeBroker && r.ResourceName == strconv.Itoa(nodeID):
				result.ErrorMessage = c.success()
				result.Configs = c.cluster.setup.configs(r.ConfigNames)
			case r.ResourceType == kmsg.ConfigResourceTypeBroker && r.ResourceName == "":
				result.ErrorMessage = c.success() // the cluster-wide defaults: none are set
			default:
				result.ErrorCode = int16(kafka.CodeInvalidRequest)
				text := "Unexpected broker id, expected " + strconv.Itoa(nodeID) + " or empty string, but received " + r.ResourceName
				if _, err := strconv.Atoi(r.ResourceName); err != nil {
					text = "Broker id must be an integer, but it is: " + r.ResourceName
				}
				result.ErrorMessage = &text
			}
			resp.Resources = append(resp.Resources, result)
		}
	})
	return resp
}

// configs are the settings asked for; nil asks for all.
func (s *setup) configs(names []string) []kmsg.DescribeConfigsResponseResourceConfig {
	millis := func(d time.Duration) *string { return kmsg.StringPtr(strconv.FormatInt(d.Milliseconds(), 10)) }
	all := []struct {
		name  string
		value *string
		usual *string // Kafka's default
		kind  kmsg.ConfigType
	}{
		{"delegation.token.expiry.check.interval.ms", millis(s.SweepInterval), millis(defaultSweepInterval), kmsg.ConfigTypeLong},
		{"delegation.token.expiry.time.ms", millis(s.ExpiryTime), millis(defaultExpiryTime), kmsg.ConfigTypeLong},
		{"delegation.token.max.lifetime.ms", millis(s.MaxLifetime), millis(defaultMaxLifetime), kmsg.ConfigTypeLong},
		{"delegation.token.secret.key", nil, nil, kmsg.ConfigTypePassword},
	}
	var out []kmsg.DescribeConfigsResponseResourceConfig
	for _, entry := range all {
		wanted := names == nil
		for _, n := range names {
			wanted = wanted || n == entry.name
		}
		if !wanted {
			continue
		}
		c := kmsg.NewDescribeConfigsResponseResourceConfig()
		c.Name, c.Value, c.ConfigType = entry.name, entry.value, entry.kind
		c.ReadOnly, c.IsSensitive = true, entry.value == nil
		c.Source = kmsg.ConfigSourceStaticBrokerConfig
		if entry.value != nil && *entry.value == *entry.usual {
			c.Source = kmsg.ConfigSourceDefaultConfig
		}
		out = append(out, c)
	}
	return out
}
