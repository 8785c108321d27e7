package apache

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// grantOps gives the user ops what a keeper of tokens needs without being a
// super user: to create and see everybody's tokens, to list SCRAM users, ACL
// rules and quotas and to change them.
func (n *Node) grantOps(ctx context.Context) error {
	type right struct {
		resource  kmsg.ACLResourceType
		name      string
		operation kmsg.ACLOperation
	}
	rights := []right{
		{kmsg.ACLResourceTypeUser, "*", kmsg.ACLOperationCreateTokens},
		{kmsg.ACLResourceTypeUser, "*", kmsg.ACLOperationDescribeTokens},
		{kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationDescribe},
		{kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationAlter},
		{kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationDescribeConfigs},
		{kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationAlterConfigs},
	}
	req := kmsg.NewPtrCreateACLsRequest()
	req.Version = n.Release.Newest(req.Key(), 3)
	for _, r := range rights {
		if r.resource == kmsg.ACLResourceTypeUser && !n.Release.Since("3.3") {
			continue // KIP-373 brought it
		}
		creation := kmsg.NewCreateACLsRequestCreation()
		creation.ResourceType, creation.ResourceName = r.resource, r.name
		creation.ResourcePatternType = kmsg.ACLResourcePatternTypeLiteral
		creation.Principal, creation.Host = "User:ops", "*"
		creation.Operation, creation.PermissionType = r.operation, kmsg.ACLPermissionTypeAllow
		req.Creations = append(req.Creations, creation)
	}
	c, err := n.dialAdmin(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	const securityDisabled = 54 // no authorizer: everybody may do everything
	for _, result := range resp.(*kmsg.CreateACLsResponse).Results {
		if result.ErrorCode != 0 && result.ErrorCode != securityDisabled {
			return fmt.Errorf("code %d", result.ErrorCode)
		}
	}
	return nil
}
