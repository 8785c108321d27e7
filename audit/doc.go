// Package audit keeps the record of every change that dtok makes to a cluster:
// who did what to which token, when, and how it ended.
//
// A Trail is append-only files of JSON lines. A Recorder is a decorator around
// the requests that change a cluster: it writes the intent of a change before
// anything is sent, and its outcome afterwards. If the intent cannot be made
// durable nothing is sent. An intent without an outcome means that dtok ended
// before it could write one: how that change ended is unknown. Reads is the same
// around the requests that change nothing, where that is asked for; a reading
// that cannot be recorded goes on. Walk, Verify and Entries read a trail.
//
// No record ever holds an HMAC.
//
// # The format
//
// A line is one JSON object in UTF-8 with only printable characters, and ends in
// a newline. Times are RFC 3339 in UTC with milliseconds. Principals have the
// form User:alice. What is empty is left out. A test holds this table to the
// code; a dot leads into an object, [] into the elements of a list.
//
//	schema                          the version of the format, see below
//	id                              pairs intent and outcome, and the parts of a reading
//	time                            when the record was made
//	kind                            "create token", "renew token", "expire token"; "add ACL rule",
//	                                "delete ACL rule", "set quota", "remove quota"; "list users",
//	                                "list tokens", "test sign-in"; "head", "seal", "missed readings"
//	phase                           "intent" or "outcome"; a reading has an outcome only
//	outcome                         "done", "refused", "failed" (not sent) or "unknown"
//	error.code                      Kafka's error code
//	error.name                      and its name
//	error.text                      the error as the person saw it
//	who.os_user                     the user of the process
//	who.sudo_user                   SUDO_USER
//	who.host                        this machine
//	who.ssh_client                  the address that the SSH session came from
//	who.principal                   whom the connection acted as
//	where.environment               the name in dtok's configuration
//	where.cluster_id                Kafka's cluster id
//	where.address                   the bootstrap address of the connection
//	token.id                        the token that is changed or tested
//	token.owner                     its owner
//	token.requester                 who asked for it
//	token.renewers                  who may renew and expire it besides the owner
//	token.asked_ms                  the maximum lifetime (create) or period (renew) asked for; -1: the cluster's
//	token.issued                    when it was made
//	token.expires_before            its expiry before the change
//	token.expires                   its expiry after a creation or a renewal
//	token.max_lifetime_ends         the end of its maximum lifetime
//	token.stopped                   when it stopped working
//	token.asked_owner               whom it was asked for, when the cluster made it for another owner
//	token.expired_at_once           such a token was expired at once
//	rules[].permission              an ACL rule that is added or deleted: ALLOW or DENY
//	rules[].principal               for whom
//	rules[].host                    from where, "*" for everywhere
//	rules[].operation               what, in Kafka's words
//	rules[].resource_type           on what kind of thing
//	rules[].resource_name           and its name
//	rules[].pattern                 LITERAL or PREFIXED
//	rules[].before                  it was there before; left out when not known
//	rules[].after                   it is there afterwards, by the cluster's answer
//	rules[].removed                 the rules that a deletion removed, where that is not exactly this one
//	rules[].removed_count           and their number
//	rules[].error                   what went wrong with this one of several
//	quota.entity[].type             what a quota is set on: "user", "client-id" or both
//	quota.entity[].name             its name; null is the default
//	quota.key                       such as producer_byte_rate
//	quota.asked                     the value to be set
//	quota.before                    the value before; null is none
//	quota.before_unknown            the value before could not be read, or not yet
//	quota.after                     the value afterwards, by the cluster's answer; null is none
//	reason                          why, in the person's words
//	read.owner                      whose tokens were read; left out for all
//	read.users                      how many users a list of users had
//	read.count                      how many tokens the whole reading gave back
//	read.part                       which part this record is, from 1
//	read.parts                      of how many
//	read.tokens[].id                a token of this part
//	read.tokens[].owner             its owner
//	read.tokens[].requester         who asked for it
//	read.tokens[].renewers          its renewers
//	read.tokens[].issued            when it was made
//	read.tokens[].expires           its expiry
//	read.tokens[].max_lifetime_ends the end of its maximum lifetime
//	read.failed                     sources that could not be read
//	head.file                       the number of the file that the head begins, from 1
//	sealed.lines                    how many lines before this record are none
//	sealed.sha256                   the SHA-256 of these lines with their newlines
//	missed.readings                 how many readings were not recorded
//	missed.since                    since when
//	prev                            the hash of the record before, also of the file before; "" in the first
//	hash                            the SHA-256 of the line's bytes up to the comma before "hash"
//
// # The chain
//
// The first record of a file is its head, whose prev is the last hash of the
// file before. prev and hash are the last two fields of a line and are written
// exactly as `,"prev":"…","hash":"…"}`, in every schema from 2 on, so that a
// dtok that does not know a newer schema can still follow and continue its
// chain. Lines that are no records of it, such as one that was torn when dtok
// was killed, are counted and hashed by a seal, or by the head where a file of
// schema 1 is continued; the seal's prev is the hash of the last record before
// them.
//
// # Versions
//
//	1  no chain: without prev and hash, heads, seals and readings
//	2  the chain
package audit
