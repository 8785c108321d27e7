package main

// The long texts of the commands without a screen. A line that ends in a colon
// with indented lines after it is a section, in --help as in the man page.

const rootHelp = `dtok lists the users of a Kafka cluster and their delegation tokens, and creates,
renews and expires tokens. Without a command it opens its screens on the cluster
that the flags name. The commands users, tokens, create, renew and expire do the
same without a screen, for scripts and cron; dtok demo needs no cluster.

Files:
  $XDG_STATE_HOME/dtok/audit.jsonl, by default ~/.local/state/dtok/audit.jsonl
  has the audit trail: every change, before it is sent and how it ended.
  The file of --debug has one JSON object a line: connections, requests with
  their sizes, times and errors, screens, the exit. It holds no secret and
  nothing that was typed.

Environment:
  ACCESSIBLE  other than 0 and false: screens for a screen reader, as --accessible
  NO_COLOR    no colours

Exit status:
  0    done
  1    refused or failed
  2    wrong command line
  3    the outcome of a change is unknown (without a screen)
  4    dtok tokens --expiring-within found tokens
  129  ended by SIGHUP; 130 by SIGINT, 143 by SIGTERM`

// The exit statuses of the commands without a screen: what all have, and what a
// reading or a change has besides.
const (
	exitHead = "\n\nExit status:\n"
	exitRead = exitHead + `  0    done
  1    refused or failed
  2    wrong command line
`
	exitEnd = `  129  ended by SIGHUP; 130 by SIGINT (ctrl+c), 143 by SIGTERM`

	readStatuses  = exitRead + exitEnd
	checkStatuses = exitRead + `  4    --expiring-within found tokens that expire within that time
` + exitEnd
	changeStatuses = exitHead + `  0    done
  1    refused or failed; nothing was changed, unless the error says otherwise
  2    wrong command line
  3    the outcome is unknown: the change was sent, and no answer came
` + exitEnd + `, and
       nothing was sent; a change that was on its way by then ends with 3`
)

const usersHelp = `users lists everybody whom the cluster knows: owners of tokens, principals of
ACL rules, users with quotas and SCRAM users, each with what there is of them.
A source that this connection may not read is named on standard error, and its
column shows a question mark; only when none can be read is the status 1.

Output:
  The table is for people. Scripts take --output json, one object:
    schema_version  1; it grows when a field goes or changes its meaning
    read            when the answer came (RFC 3339, UTC)
    users           user, tokens, next_expiry (the next one still to come, or
                    the first where all have passed), acl_rules, quotas, scram;
                    null where the source could not be read
    unread          the sources that could not be read: source, error` + readStatuses

const usersExample = `  dtok users --bootstrap-server broker1:9093 --command-config client.properties
  dtok users --command-config client.properties --output json`

const tokensHelp = `tokens lists the delegation tokens that this connection may see, or those that
one user owns, the next to expire first. No list holds an HMAC.

With --expiring-within only tokens that expire within that time, or have expired
and are still there, are listed, and the exit status is 4 when there is one:
a check for cron. It lists nothing and ends with 0 when there is none, and it ends
with 1 when the tokens cannot be read, so that a check that failed is not taken
for one that found nothing. Brokers leave out tokens that a connection may not
see, without an error: where no token is seen at all, standard error says so, with
the permission that may be missing. Cron mails that, too.

Check from cron:
  A file /etc/cron.d/dtok that mails the tokens of user etl which expire within
  a day, every morning at 7, and anything that goes wrong with the check:

    MAILTO=oncall@example.org
    0 7 * * *  kafka  dtok tokens --command-config /etc/dtok/client.properties -u etl --expiring-within 24h

  In a script, the status tells what was found:

    dtok tokens --command-config client.properties -u etl --expiring-within 24h
    case $? in
      0) ;;                                # none that is seen expires
      4) page "a token of etl expires" ;;
      *) page "the token check failed" ;;
    esac

  The connection needs to see the tokens: as their owner, or with DescribeTokens
  on the User resource User:etl. client.properties is the file that Kafka's own
  tools take, with bootstrap.servers in it; keep it to its owner (chmod 600).

Output:
  The table is for people: times are UTC, LEFT is the time until the expiry.
  Scripts take --output json, one object that holds:
    schema_version      1; it grows when a field goes or changes its meaning
    read                when the answer came (RFC 3339, UTC)
    user                the user of --user, such as User:etl; null for all
    expiring_within_ms  the time of --expiring-within; null without it
    tokens              token_id, owner, requester (null where the broker does
                        not tell), renewers, issued, expires,
                        max_lifetime_ends, expired` + checkStatuses

//nolint:gosec // names of tokens, and none of their secrets
const tokensExample = `  dtok tokens --command-config client.properties
  dtok tokens --command-config client.properties --user etl --output json
  dtok tokens --command-config client.properties --user etl --expiring-within 24h`

const createHelp = `create makes a token for a user. Its HMAC, the password of whoever signs in with
it, is given out once: into a new file that only you may read, or on standard
output with --print-hmac, alone on a line, everything else on standard error. If
it cannot be written there, the token is expired again at once.

With SASL PLAIN or SCRAM the connection's own user is added to the renewers, so
that it can renew and expire the token. The creation is recorded in the audit
trail before it is sent; where that is not possible nothing is sent. A creation is
sent once. If its answer is lost (status 3) there may be a token whose HMAC nobody
knows; dtok tokens shows it, and it ends at its expiry.

Output:
  Facts of the token, for people. Scripts take --output json, one object:
    schema_version  1; it grows when a field goes or changes its meaning
    change          "create token"
    token           token_id, owner, requester, renewers, issued, expires,
                    max_lifetime_ends, expired
    capped          true when the cluster gave a shorter maximum lifetime
    hmac_file       where the HMAC is` + changeStatuses

const createExample = `  dtok create --command-config client.properties -u etl --max-lifetime 7d --hmac-file etl.hmac
  dtok create --command-config client.properties -u etl --renewer airflow --hmac-file etl.hmac -o json
  dtok create --command-config client.properties -u etl --print-hmac | vault-put kafka/etl`

const renewHelp = `renew moves a token's expiry. The HMAC comes from --hmac-file or on standard
input, never on the command line. It is checked against the token before anything
is sent. The time counts from now, so a renewal can also make a token expire earlier;
no renewal passes the end of its maximum lifetime. Only a token's owner and its
renewers may renew it, and super users are no exception.

The renewal is recorded in the audit trail before it is sent; where that is not
possible nothing is sent. A token ID that begins with a dash follows after --.

Output:
  Facts of the token, for people. Scripts take --output json, one object:
    schema_version  1; it grows when a field goes or changes its meaning
    change          "renew token"
    token           token_id, owner, requester, renewers, issued, expires,
                    max_lifetime_ends, expired
    expires_before  the expiry before the renewal
    capped          true when the cluster gave less time than was asked for` + changeStatuses

const renewExample = `  dtok renew TOKEN-ID --command-config client.properties --hmac-file etl.hmac
  vault-get kafka/etl | dtok renew TOKEN-ID --command-config client.properties --for 12h`

const expireHelp = `expire removes a token: nobody can sign in with it any more, and this cannot be
undone. A client that is signed in with it goes on until its first request after
the expiry that was known when it signed in; on brokers before Kafka 3.3 nothing
ends it. A renewal of a moment later can still bring the token back, until all
brokers know that it is gone: where somebody else has the HMAC, list it once more
after a few seconds. The HMAC comes from --hmac-file or on standard input, never on the command
line. It is checked against the token before anything is sent. Only a token's owner
and its renewers may expire it, and super users are no exception.

The reason goes into the audit trail, and the expiry is recorded there before it
is sent; where that is not possible nothing is sent. A token ID that begins with a
dash follows after --.

Output:
  Facts of the token, for people. Scripts take --output json, one object:
    schema_version  1; it grows when a field goes or changes its meaning
    change          "expire token"
    token           token_id, owner, requester, renewers, issued, expires (when
                    it stopped), max_lifetime_ends, expired
    expires_before  the expiry it would have had` + changeStatuses

const expireExample = `  dtok expire TOKEN-ID --command-config client.properties --hmac-file etl.hmac --reason "laptop lost"
  vault-get kafka/etl | dtok expire TOKEN-ID --command-config client.properties --reason "OPS-1234"`
