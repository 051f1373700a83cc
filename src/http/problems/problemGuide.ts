/** What a problem means for a client, by its code. */
interface ProblemAdvice {
  readonly status: number;
  readonly means: string;
  /** What to do about it. */
  readonly advice: string;
}

export type ProblemCode = keyof typeof requestProblems | keyof typeof routeProblems;

/** Problems that do not depend on the route. */
const requestProblems = {
  malformed: of(400, 'The body is not valid JSON, or is cut short.', 'Correct it.'),
  body_unwanted: of(400, 'A GET, HEAD or DELETE has a body.', 'Send it without one.'),
  idempotency_key_wrong: of(
    400,
    'The Idempotency-Key is not 1 to 200 visible ASCII characters.',
    'Use a UUID.',
  ),
  unauthenticated: of(
    401,
    'There is no token, or it is unknown, expired or revoked.',
    'Send `Authorization: Bearer TOKEN` with a valid one.',
  ),
  role_forbidden: of(403, 'The role of the token is too low.', 'Use a token of a higher role.'),
  group_forbidden: of(
    403,
    'The token is for other groups of jobs, or only for some of them.',
    'Use a token for that group, or for every group.',
  ),
  person_forbidden: of(
    403,
    'The proxy names somebody who has no role here, or does not name one person.',
    'Start the node with `--proxy-role`, `--proxy-user` or `--proxy-default-role`.',
  ),
  origin_forbidden: of(
    403,
    'A logged-in browser sent a change from a page of another origin.',
    'Start the node with `--http-origin`, or use a token.',
  ),
  path_missing: of(404, 'There is no such path.', 'Look the route up on this page.'),
  method_wrong: of(
    405,
    'The path does not have this method.',
    'The `Allow` header lists those that it has.',
  ),
  body_too_slow: of(408, 'The body took too long to arrive.', 'Send the request again.'),
  idempotency_held: of(
    409,
    'The first request with this Idempotency-Key is still being answered.',
    'Retry after the seconds of `Retry-After`.',
  ),
  idempotency_taken_over: of(
    409,
    'A repeat with the same Idempotency-Key was handled instead of this request.',
    'Use the answer of the repeat; this request changed nothing.',
  ),
  body_too_large: of(413, 'The body is larger than 256 KiB.', 'Split it.'),
  media_type_unknown: of(
    415,
    'The Content-Type is not one that the route takes, or the body is compressed.',
    'Send `Content-Type: application/json`, uncompressed.',
  ),
  host_unknown: of(
    421,
    'The node does not have the host name of the URL.',
    'Use its address, or start it with `--http-name NAME`.',
  ),
  invalid: of(
    422,
    'The path, query, headers or body do not fit the schema.',
    'Correct the fields that `errors` names.',
  ),
  bad_request: of(422, 'A value is not one that the route takes.', 'Correct what `errors` names.'),
  bad_fields: of(422, 'Fields have values that a job cannot have.', 'Correct what `errors` names.'),
  bad_FIELD: of(
    422,
    'A field has a value that it cannot have; the code names it, as in `bad_schedule`.',
    'Correct what `errors` names.',
  ),
  usage: of(422, 'Fields do not fit together.', 'Correct what `errors` names.'),
  idempotency_key_reused: of(
    422,
    'The Idempotency-Key came with another request before.',
    'Use a new key for a new request.',
  ),
  too_many_failures: of(
    429,
    'Too many invalid tokens came from this address.',
    'Retry with a valid one after `Retry-After`.',
  ),
  too_many_requests: of(
    429,
    'The token or address has as much under way as one may have.',
    'Send fewer requests at once; retry after `Retry-After`.',
  ),
  internal: of(
    500,
    'A fault of statecron.',
    'The log of the node has the details under the `requestId`: please report it.',
  ),
  busy: of(
    503,
    'The node has no capacity left.',
    'Retry after `Retry-After`, or use another node.',
  ),
  database_away: of(
    503,
    'The database cannot be reached.',
    'Retry; if it stays so, run `statecron doctor`.',
  ),
  database_busy: of(503, 'The database waited too long for a lock.', 'Retry.'),
  outcome_unknown: of(
    504,
    'The connection to the database broke before it confirmed the change.',
    'Repeat it with the same Idempotency-Key, or read whether it was made.',
  ),
} satisfies Record<string, ProblemAdvice>;

/** Problems that only some routes answer with. */
const routeProblems = {
  job_missing: of(404, 'There is no such job, or it is of another group.', 'List the jobs.'),
  run_missing: of(404, 'There is no such run.', 'List the runs; old ones are removed.'),
  revision_missing: of(404, 'The job has no such revision.', 'List its revisions.'),
  job_group_missing: of(404, 'No job is in the group.', 'List the jobs.'),
  group_missing: of(404, 'There is no such group of nodes.', 'List the groups.'),
  target_missing: of(404, 'There is no such notification target.', 'List the targets.'),
  token_missing: of(404, 'There is no such token.', 'List the tokens.'),
  machine_missing: of(404, 'There is no such statechart.', 'List the statecharts.'),
  drawing_missing: of(409, 'The package lacks the drawing.', 'Install it again.'),
  job_exists: of(409, 'There is a job of this name.', 'Choose another name, or change that job.'),
  count_differs: of(
    409,
    'Not as many jobs match as were expected.',
    'Read which ones match (`dryRun`), and send the request with their number.',
  ),
  job_followed: of(
    409,
    'Another job runs after this one (`after`).',
    'Change or remove that job first.',
  ),
  job_executing: of(
    409,
    'The change is not possible while the job runs.',
    'Pause the job, wait for its end or stop it, and repeat the change.',
  ),
  job_paused: of(409, 'The job is paused.', 'Resume it first.'),
  no_tick: of(409, 'The schedule has no further tick.', 'Check the schedule.'),
  overlap: of(
    409,
    'The job runs as often at once as it may, and `ignoreOverlap` is set.',
    'Leave `ignoreOverlap` out to queue the run.',
  ),
  node_away: of(409, 'The named node is not live.', 'Name a live one, or none.'),
  node_not_eligible: of(
    409,
    'The job may not run on the named node, or has no node to run on.',
    'Read the job: `mayRunOn` lists its nodes.',
  ),
  node_outranked: of(
    409,
    'Live nodes of a higher level take the job.',
    'Name one of those, or none.',
  ),
  node_too_old: of(
    409,
    'The node has an older version that would ignore `env` and `node`.',
    'Upgrade the node, or leave both out.',
  ),
  node_missing: of(404, 'There was no node of that name.', 'See `GET /cluster`.'),
  node_live: of(409, 'The node is live.', 'Stop it first.'),
  node_not_reaped: of(
    409,
    'Launches of the node are not freed yet.',
    'Repeat it when its session has expired.',
  ),
  run_ended: of(409, 'The run has ended.', 'There is nothing to stop.'),
  run_goes_on: of(409, 'The run has not ended.', 'Wait for its end, or stop it.'),
  no_launch: of(409, 'Nothing was started for this row.', 'Use backfill for its ticks.'),
  definition_unknown: of(
    409,
    'A later version of statecron made the revision.',
    'Send the request to a node of that version.',
  ),
  group_exists: of(409, 'There is a group of this name.', 'Send its ETag in If-Match instead.'),
  group_in_use: of(409, 'Jobs name the group.', 'Change those jobs first.'),
  too_many_groups: of(409, 'There are as many groups as there may be.', 'Remove one.'),
  target_exists: of(409, 'There is a target of this name.', 'Choose another name.'),
  target_named: of(409, 'Jobs name the target.', 'Change those jobs first.'),
  target_kind: of(409, 'The target is of a kind that this field does not take.', 'Name another.'),
  too_many_targets: of(409, 'There are as many targets as there may be.', 'Remove one.'),
  token_exists: of(409, 'There is a token of this name.', 'Choose another name, or revoke it.'),
  too_many_tokens: of(409, 'There are as many tokens as there may be.', 'Revoke one.'),
  revision_changed: of(
    412,
    'It was changed since it was read: the ETag in If-Match is not the current one.',
    'Read it again, and repeat the change if it still applies.',
  ),
  bad_file: of(422, 'The file has faults.', '`errors` names each with its line.'),
  chain_cycle: of(422, 'Jobs would start each other in a circle.', 'Leave one `after` out.'),
  upstream_missing: of(422, '`after` names a job that does not exist.', 'Add that job first.'),
  mute_over: of(422, 'The end of the mute has passed.', 'Send an instant to come.'),
  pause_over: of(422, 'The end of the pause has passed.', 'Send an instant to come.'),
  backfill_future: of(422, '`to` is in the future.', 'End the range now at the latest.'),
  too_many_ticks: of(422, 'The range has more ticks than `max`.', 'Shorten it, or raise `max`.'),
  too_complex: of(422, 'The calculation takes too much time.', 'Ask for less at once.'),
  if_match_missing: of(428, 'The change has no If-Match.', 'Send the ETag that was read, or `*`.'),
} satisfies Record<string, ProblemAdvice>;

/** Every problem of the API, by its code; the first ones are those of every request. */
export const problemGuide: Readonly<Record<ProblemCode, ProblemAdvice>> = {
  ...requestProblems,
  ...routeProblems,
};

export function isOfEveryRequest(code: ProblemCode): boolean {
  return code in requestProblems;
}

function of(status: number, means: string, advice: string): ProblemAdvice {
  return { status, means, advice };
}
