package demo

import (
	"reflect"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// refusal is the answer to a request that says nothing but an error: at its
// top where the API has one, on every entry of the request otherwise. It is
// nil for an API that has no place for an error that this broker knows.
func refusal(req kmsg.Request, code int16, message *string) kmsg.Response {
	resp := req.ResponseKind()
	switch req := req.(type) {
	case *kmsg.CreateDelegationTokenRequest:
		r := resp.(*kmsg.CreateDelegationTokenResponse)
		r.IssueTimestamp, r.ExpiryTimestamp, r.MaxTimestamp = -1, -1, -1
		r.PrincipalType, r.PrincipalName = anonymous.Type, anonymous.Name
		r.TokenRequesterPrincipalType, r.TokenRequesterPrincipalName = anonymous.Type, anonymous.Name
	case *kmsg.RenewDelegationTokenRequest:
		resp.(*kmsg.RenewDelegationTokenResponse).ExpiryTimestamp = -1
	case *kmsg.ExpireDelegationTokenRequest:
		resp.(*kmsg.ExpireDelegationTokenResponse).ExpiryTimestamp = -1
	case *kmsg.CreateACLsRequest:
		r := resp.(*kmsg.CreateACLsResponse)
		for range req.Creations {
			r.Results = append(r.Results, kmsg.CreateACLsResponseResult{ErrorCode: code, ErrorMessage: message})
		}
		return r
	case *kmsg.DeleteACLsRequest:
		r := resp.(*kmsg.DeleteACLsResponse)
		for range req.Filters {
			r.Results = append(r.Results, kmsg.DeleteACLsResponseResult{ErrorCode: code, ErrorMessage: message})
		}
		return r
	case *kmsg.AlterClientQuotasRequest:
		r := resp.(*kmsg.AlterClientQuotasResponse)
		for _, e := range req.Entries {
			entry := kmsg.AlterClientQuotasResponseEntry{ErrorCode: code, ErrorMessage: message}
			for _, p := range e.Entity {
				entry.Entity = append(entry.Entity, kmsg.AlterClientQuotasResponseEntryEntity{Type: p.Type, Name: p.Name})
			}
			r.Entries = append(r.Entries, entry)
		}
		return r
	case *kmsg.AlterUserSCRAMCredentialsRequest:
		r := resp.(*kmsg.AlterUserSCRAMCredentialsResponse)
		for _, user := range newScramAlteration(req).users {
			r.Results = append(r.Results, kmsg.AlterUserSCRAMCredentialsResponseResult{User: user, ErrorCode: code, ErrorMessage: message})
		}
		return r
	}
	// The generated types call these fields the same everywhere.
	fields := reflect.ValueOf(resp).Elem()
	top := fields.FieldByName("ErrorCode")
	if !top.IsValid() {
		return nil
	}
	top.SetInt(int64(code))
	if m := fields.FieldByName("ErrorMessage"); m.IsValid() && m.Type() == reflect.TypeOf(message) {
		m.Set(reflect.ValueOf(message))
	}
	return resp
}
