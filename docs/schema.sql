-- The schema of statecron's database, for reading: written by `npm run schema`.
-- What runs are the migrations. Instants are UTC by the database's clock, in milliseconds; all
-- tables are InnoDB, texts are compared by their bytes, flags are 0 or 1.

-- Browsers that are logged in.
CREATE TABLE api_login (
  -- SHA-256 of the cookie.
  login_hash binary(32) NOT NULL,
  -- The token that it was logged in with.
  token_id char(12) NOT NULL,
  -- When the row was written.
  made_at datetime(3) NOT NULL,
  -- From then on it is not valid any more; null: never.
  expires_at datetime(3) NOT NULL,
  PRIMARY KEY (login_hash),
  KEY api_login_by_age (expires_at),
  KEY api_login_by_token (token_id, made_at)
);

-- Tokens of the API.
CREATE TABLE api_token (
  -- The part of the token that is shown; the key.
  token_id char(12) NOT NULL,
  -- SHA-256 of the whole token, which is not kept.
  token_hash binary(32) NOT NULL,
  -- Unique among the tokens that are in force.
  token_name varchar(64) NOT NULL,
  -- What it may do.
  role varchar(16) NOT NULL,
  -- JSON list of the groups of jobs that it is for; null: all.
  job_groups longtext,
  -- When the row was written.
  made_at datetime(3) NOT NULL,
  -- From then on it is not valid any more; null: never.
  expires_at datetime(3),
  -- When it was revoked; null: it was not.
  revoked_at datetime(3),
  -- ''; of a revoked token its own id, so that its name is free again.
  revoked_no char(12) NOT NULL DEFAULT '',
  -- When it let a request in last, to ten minutes; null: never that is known.
  last_used_at datetime(3),
  PRIMARY KEY (token_id),
  UNIQUE KEY api_token_by_name (token_name, revoked_no)
);

-- Who changed what, written in the transaction of the change.
CREATE TABLE audit_log (
  -- The key.
  audit_id bigint unsigned NOT NULL AUTO_INCREMENT,
  -- When.
  happened_at datetime(3) NOT NULL,
  -- Name of the token, or user and host of the command line.
  actor varchar(191) NOT NULL,
  -- api or cli.
  via varchar(8) NOT NULL,
  -- The request of the API, as its log has it.
  request_id varchar(64) NOT NULL,
  -- Where the request came from; null: not by the API.
  address varchar(64),
  -- What was done, e.g. job.add.
  action varchar(40) NOT NULL,
  -- Name of what was changed.
  target varchar(191) NOT NULL,
  -- The group of jobs; empty or null: none.
  job_group varchar(64),
  -- JSON; null: it was not there.
  before_value longtext,
  -- JSON; null: it is gone.
  after_value longtext,
  -- What the change came to, kept for a repeat of the same request.
  answer longtext,
  -- Of the idempotency key of the request; null: it had none.
  key_hash binary(32),
  PRIMARY KEY (audit_id),
  KEY audit_log_by_age (happened_at),
  KEY audit_log_by_key (key_hash),
  KEY audit_log_by_target (target, audit_id)
);

-- Which job follows which, by the definitions in force.
CREATE TABLE chain_link (
  -- The job that follows.
  job_id bigint unsigned NOT NULL,
  -- Name of the job that it follows.
  upstream varchar(191) NOT NULL,
  -- Which end of the upstream starts it: success, failure or end.
  wanted varchar(7) NOT NULL,
  -- Ends of the upstream from then on count.
  linked_at datetime(3) NOT NULL,
  -- Ends before it have been looked at.
  swept_until datetime(3) NOT NULL,
  PRIMARY KEY (job_id, upstream),
  KEY chain_link_by_sweep (swept_until),
  KEY chain_link_by_upstream (upstream)
);

-- One row: which session cleans the history, and how far it has come.
CREATE TABLE cleaning (
  -- Always the same.
  cleaning_id int unsigned NOT NULL,
  -- The row of `session`; null or empty: none.
  session_id varchar(32) NOT NULL DEFAULT '',
  -- Until when that session has the work.
  until_at datetime(3) NOT NULL,
  -- The last job that was cleaned in this pass; null: all of them were.
  job_id bigint unsigned,
  -- When the next pass is due.
  due_at datetime(3) NOT NULL,
  PRIMARY KEY (cleaning_id)
);

-- Requests that came with an Idempotency-Key, and their answers.
CREATE TABLE idempotency_key (
  -- SHA-256 of caller and key.
  key_hash binary(32) NOT NULL,
  -- SHA-256 of what was asked for: the same key with another request is refused.
  request_hash binary(32) NOT NULL,
  -- When the row was written.
  made_at datetime(3) NOT NULL,
  -- When the request that holds the key began.
  taken_at datetime(3) NOT NULL,
  -- Number of the request that holds the key.
  taken_no int unsigned NOT NULL DEFAULT 1,
  -- How many changes were committed under the key.
  changes int unsigned NOT NULL DEFAULT 0,
  -- HTTP status of the kept answer; null: it is under way.
  status smallint unsigned,
  -- Of the kept answer, as JSON.
  headers longtext,
  -- Of the kept answer.
  body longblob,
  PRIMARY KEY (key_hash),
  KEY idempotency_key_by_age (made_at)
);

-- A job by its name. A removed job keeps its row while history names it.
CREATE TABLE job (
  -- The key; never used again.
  job_id bigint unsigned NOT NULL AUTO_INCREMENT,
  -- Unique among the jobs that are not removed.
  name varchar(191) NOT NULL,
  -- 0; of a removed job its own id, so that its name is free again.
  removed_no bigint unsigned NOT NULL DEFAULT 0,
  -- The newest revision.
  revision int unsigned NOT NULL,
  -- 1: no ticks are due. The pause is a revision, too.
  paused tinyint unsigned NOT NULL DEFAULT 0,
  -- When the row was written.
  created_at datetime(3) NOT NULL,
  -- When the job was removed; null: it is there.
  removed_at datetime(3),
  -- Ticks that ran since the job was made or resumed, for `max-runs`.
  ticks_run int unsigned NOT NULL DEFAULT 0,
  -- Ticks that failed one after the other, for `max-failures`.
  failures_in_row int unsigned NOT NULL DEFAULT 0,
  -- 1: it has a slot for each node that may run it; 0: for the cluster.
  every_node tinyint unsigned NOT NULL DEFAULT 0,
  -- The row of `target`; 0: any node of any version may run it.
  target_id int unsigned NOT NULL DEFAULT 0,
  -- History before it may have been cleaned away; null: it is whole.
  history_from datetime(3),
  -- When the pause ends by itself; null: it does not.
  resume_at datetime(3),
  -- The revision that the pause made, which a later pause replaces.
  resume_revision int unsigned,
  -- Highest `run_id` of the job that was cleaned away; 0: none.
  runs_deleted_until bigint unsigned NOT NULL DEFAULT 0,
  -- How its last run failed; empty: it did not; null: the history knows.
  last_failure varchar(16),
  PRIMARY KEY (job_id),
  KEY job_by_failure (last_failure, removed_no, name),
  KEY job_by_failure_age (last_failure, removed_no, job_id),
  KEY job_by_kind (every_node, removed_no, target_id),
  UNIQUE KEY job_by_name (name, removed_no),
  KEY job_by_pause (paused, removed_no, name),
  KEY job_by_resume (resume_at),
  KEY job_by_runs_deleted (runs_deleted_until),
  KEY job_by_target (target_id, removed_no, name),
  KEY job_by_target_failure (target_id, last_failure, removed_no, name)
);

-- How many launches of a group of jobs may be held at once in the whole cluster. The row is the
-- lock under which they are counted.
CREATE TABLE job_group (
  -- The group of jobs.
  group_name varchar(64) NOT NULL,
  -- The limit.
  concurrency_max int unsigned NOT NULL,
  -- Counts the claims that took the lock.
  taken bigint unsigned NOT NULL DEFAULT 0,
  -- When the row was last changed.
  changed_at datetime(3) NOT NULL,
  PRIMARY KEY (group_name)
);

-- Every definition of a job with the time in which it was in force: [in_force_from,
-- in_force_until). The due ticks of any time follow from this table alone.
CREATE TABLE job_revision (
  -- The row of `job`.
  job_id bigint unsigned NOT NULL,
  -- The revision of the job (`job_revision`).
  revision int unsigned NOT NULL,
  -- The fields of the job as JSON, under their stored names.
  definition longtext NOT NULL,
  -- 1: a pause, in which no ticks are due.
  paused tinyint unsigned NOT NULL DEFAULT 0,
  -- Its first instant.
  in_force_from datetime(3) NOT NULL,
  -- The first instant after it; null: it is in force.
  in_force_until datetime(3),
  -- Why it was made when no operator asked for it; null: one did.
  reason varchar(255),
  PRIMARY KEY (job_id, revision)
);

-- What was asked for with a launch beside the job's definition. Of a chain it also notes that the
-- end of the upstream has been dealt with, so that it starts the job once.
CREATE TABLE launch_request (
  -- The row of `job`.
  job_id bigint unsigned NOT NULL,
  -- Names who asked for the launch, so that one request starts it once.
  request_id varchar(64) NOT NULL,
  -- JSON object of variables; null: none.
  env longtext,
  -- The node that shall run it; null: any that may.
  wanted_node varchar(64),
  -- When it was asked for.
  asked_at datetime(3) NOT NULL,
  PRIMARY KEY (job_id, request_id),
  KEY launch_request_by_age (asked_at),
  KEY launch_request_by_node (wanted_node)
);

-- The locks of the cluster. A transaction takes a lock by writing its row: 0 to 63 are the stripes
-- that slots are dealt to, 64 is that of sessions.
CREATE TABLE lock_row (
  -- Number of the lock.
  lock_id int unsigned NOT NULL,
  -- How often it was taken: a lock is a write, so that it holds on Galera as well.
  taken bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (lock_id)
);

-- The migrations that the database has had.
CREATE TABLE migration (
  -- File name of the migration.
  migration_name varchar(191) NOT NULL,
  -- When it was applied.
  applied_at datetime(3) NOT NULL DEFAULT current_timestamp(3),
  PRIMARY KEY (migration_name)
);

-- The locks of migrations, and rows on which the engine is tried.
CREATE TABLE migration_lock (
  -- 1 is locked by whoever migrates, 2 is a lease where Group Replication has several primaries;
  -- rows from 1,000,000 on are there for the moment of a trial.
  lock_id int unsigned NOT NULL,
  -- Of 1 how often it was taken, of 2 until when (microseconds), of a trial when it began
  -- (milliseconds).
  taken bigint unsigned NOT NULL,
  PRIMARY KEY (lock_id)
);

-- What the actors of a session do and have done, for the pages of other nodes; written at most
-- every two seconds, and only while somebody looks.
CREATE TABLE node_activity (
  -- The row of `session`; null or empty: none.
  session_id varchar(32) NOT NULL,
  -- When it was written.
  reported_at datetime(3) NOT NULL,
  -- States of the actors, counts of transitions and guards, as JSON.
  activity mediumtext NOT NULL,
  PRIMARY KEY (session_id)
);

-- Groups of nodes, which the targets of jobs name.
CREATE TABLE node_group (
  -- The group of nodes.
  group_name varchar(64) NOT NULL,
  -- JSON list of node names.
  members mediumtext NOT NULL,
  -- When the row was last changed.
  changed_at datetime(3) NOT NULL,
  PRIMARY KEY (group_name)
);

-- Nodes that an operator keeps from new work, by name: the next session of the name finds it. The
-- last hold of a node stays, to explain the ticks that it missed.
CREATE TABLE node_hold (
  -- The node; for slots of jobs that any node may run: ''.
  node_name varchar(64) NOT NULL,
  -- When it was cordoned.
  held_since datetime(3) NOT NULL,
  -- When it was uncordoned; null: it is cordoned.
  held_until datetime(3),
  -- Who cordoned it.
  held_by varchar(191) NOT NULL DEFAULT '',
  -- Why, for people.
  hold_note varchar(500) NOT NULL DEFAULT '',
  PRIMARY KEY (node_name)
);

-- Small facts about the database itself, e.g. that the samples were added once.
CREATE TABLE note (
  -- Names the fact.
  note_name varchar(64) NOT NULL,
  -- The fact.
  note_value varchar(255) NOT NULL,
  PRIMARY KEY (note_name)
);

-- The outbox of notifications, written in the transaction of what they are about; each once.
CREATE TABLE notice (
  -- The key.
  notice_id bigint unsigned NOT NULL AUTO_INCREMENT,
  -- Names the notification, so that it is written once; receivers see it.
  stable_id varchar(40) NOT NULL,
  -- The row of `notice_target`.
  target_name varchar(64) NOT NULL,
  -- Of what it notifies.
  event varchar(16) NOT NULL,
  -- The launch whose end takes it back; null: none does.
  launch_id varchar(64),
  -- JSON of what it says.
  facts text NOT NULL,
  -- waiting, sent, digested (said in another one), dropped (moot), muted or given_up.
  state varchar(8) NOT NULL DEFAULT 'waiting',
  -- When the row was written.
  created_at datetime(3) NOT NULL,
  -- When it was first due.
  since_at datetime(3) NOT NULL,
  -- When it is tried next.
  due_at datetime(3) NOT NULL,
  -- How often sending it was tried.
  tries int unsigned NOT NULL DEFAULT 0,
  -- When it left `waiting`; null: it waits.
  ended_at datetime(3),
  -- Which node failed at the last try, and why; null: none did.
  last_error varchar(500),
  PRIMARY KEY (notice_id),
  KEY notice_by_due (target_name, state, due_at),
  KEY notice_by_end (state, ended_at),
  KEY notice_by_launch (launch_id),
  UNIQUE KEY notice_once (stable_id)
);

-- What operators have muted, by name. A row stays for weeks after its end, since whether a recovery
-- is sent depends on what became of its failure.
CREATE TABLE notice_mute (
  -- job, group (of jobs) or target.
  muted_kind varchar(8) NOT NULL,
  -- The name of it.
  muted_name varchar(191) NOT NULL,
  -- Of a job: a later one of the name is not muted. 0: it is no job.
  job_id bigint unsigned NOT NULL DEFAULT 0,
  -- Since when it is muted.
  since_at datetime(3) NOT NULL,
  -- Until when; what became due before is never sent.
  until_at datetime(3) NOT NULL,
  -- Who muted it.
  muted_by varchar(191) NOT NULL DEFAULT '',
  -- Why, for people.
  mute_note varchar(500) NOT NULL DEFAULT '',
  PRIMARY KEY (muted_kind, muted_name)
);

-- Where notifications go. Neither the CLI nor the API shows `secret` again.
CREATE TABLE notice_target (
  -- The key.
  target_name varchar(64) NOT NULL,
  -- How messages are sent: mail, webhook …
  kind varchar(8) NOT NULL,
  -- URL or mail address.
  address varchar(2000) NOT NULL,
  -- Signs webhooks; null: there is none.
  secret varchar(128),
  -- The events of all jobs that it gets, separated by commas.
  events varchar(255) NOT NULL DEFAULT '',
  -- A run that lasts longer is an event; null: none is.
  long_ms bigint unsigned,
  -- How many messages it gets in a minute at most.
  minute_max int unsigned NOT NULL,
  -- The session that sends to it, so that no other does.
  session_id varchar(32) NOT NULL DEFAULT '',
  -- Until when that session does.
  until_at datetime(3) NOT NULL,
  -- When the minute began in which messages are counted.
  minute_from datetime(3) NOT NULL,
  -- Messages in that minute.
  minute_count int unsigned NOT NULL DEFAULT 0,
  -- After a failure nothing is sent before.
  rest_until datetime(3) NOT NULL,
  -- Failures one after the other.
  failures int unsigned NOT NULL DEFAULT 0,
  -- When a message last went out; null: none did.
  last_sent_at datetime(3),
  -- Which node failed at the last try, and why; null: none did.
  last_error varchar(500),
  -- When the row was written.
  created_at datetime(3) NOT NULL,
  PRIMARY KEY (target_name)
);

-- Launches asked for that are not the next tick: runs by hand, misfires made up for, retries,
-- backfills, chains. The claim that takes one deletes it.
CREATE TABLE pending (
  -- The key.
  pending_id bigint unsigned NOT NULL AUTO_INCREMENT,
  -- The row of `job`.
  job_id bigint unsigned NOT NULL,
  -- The node; for slots of jobs that any node may run: ''.
  node_name varchar(64) NOT NULL DEFAULT '',
  -- schedule, manual, misfire, queue, retry, backfill or chain.
  triggered_by varchar(16) NOT NULL,
  -- The scheduled time (tick); for a launch asked for by hand, when it was.
  scheduled_for datetime(3) NOT NULL,
  -- 1 for the first launch of a tick; each retry or rerun counts one up.
  attempt int unsigned NOT NULL DEFAULT 1,
  -- Names who asked for the launch, so that one request starts it once.
  request_id varchar(64) NOT NULL DEFAULT '',
  -- It is due from then on.
  not_before datetime(3) NOT NULL,
  PRIMARY KEY (pending_id),
  KEY pending_by_due (job_id, node_name, not_before),
  UNIQUE KEY pending_once (job_id, node_name, triggered_by, scheduled_for, attempt, request_id)
);

-- History: one row for each launch that was started, and one for each tick, or range of ticks, that
-- ended without one (launch_id null). Written in the transaction that makes the slot idle, and
-- never changed but by a result that comes late.
CREATE TABLE run (
  -- The key, which is the order of commits only nearly.
  run_id bigint unsigned NOT NULL AUTO_INCREMENT,
  -- The row of `job`.
  job_id bigint unsigned NOT NULL,
  -- The revision of the job (`job_revision`).
  revision int unsigned NOT NULL,
  -- The node; for slots of jobs that any node may run: ''.
  node_name varchar(64) NOT NULL DEFAULT '',
  -- Number of the slot among those of the job, from 0: one for each parallel run.
  slot_no int unsigned NOT NULL DEFAULT 0,
  -- The launch; made by the claiming node, never used twice.
  launch_id varchar(64),
  -- The row of `session`; null or empty: none.
  session_id varchar(32),
  -- schedule, manual, misfire, queue, retry, backfill or chain.
  triggered_by varchar(16) NOT NULL,
  -- Names who asked for the launch, so that one request starts it once.
  request_id varchar(64),
  -- 1 for the first launch of a tick; each retry or rerun counts one up.
  attempt int unsigned NOT NULL,
  -- 1: no further attempt follows.
  is_final tinyint unsigned NOT NULL DEFAULT 1,
  -- The scheduled time (tick); for a launch asked for by hand, when it was.
  scheduled_for datetime(3) NOT NULL,
  -- Last tick of a range, included; null: it is one tick.
  scheduled_until datetime(3),
  -- How many ticks the row stands for.
  ticks int unsigned NOT NULL DEFAULT 1,
  -- When its process began; null: none did.
  started_at datetime(3),
  -- When it ended, or when it was known that nothing would start.
  ended_at datetime(3) NOT NULL,
  -- succeeded, failed, … as in `src/domain/run/run.ts`.
  result varchar(16) NOT NULL,
  -- Of the process; null: it has none.
  exit_code int,
  -- The signal that ended the process; null: none did.
  term_signal varchar(16),
  -- For people: what was wrong, or why nothing ran; null: nothing to say.
  reason varchar(500),
  -- How much it printed, of which `run_output` keeps the end.
  output_bytes bigint unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id),
  KEY run_by_ended (ended_at),
  KEY run_by_job (job_id, ended_at),
  UNIQUE KEY run_by_launch (launch_id),
  KEY run_by_request (request_id),
  KEY run_by_result (result, ended_at)
);

-- The output of launches that execute, written only while somebody follows them.
CREATE TABLE run_live (
  -- The launch; made by the claiming node, never used twice.
  launch_id varchar(64) NOT NULL,
  -- When somebody last asked to follow; the row is renewed while they do.
  asked_at datetime(3) NOT NULL,
  -- The end of the output so far; null: nothing was written yet.
  output longblob,
  -- How much was printed so far.
  output_bytes bigint unsigned NOT NULL DEFAULT 0,
  -- When the node last wrote it; null: not yet.
  written_at datetime(3),
  PRIMARY KEY (launch_id)
);

-- The output of ended launches, apart from their history and written before the finish, so that
-- transactions stay small.
CREATE TABLE run_output (
  -- The launch; made by the claiming node, never used twice.
  launch_id varchar(64) NOT NULL,
  -- The kept end of stdout and stderr, as bytes; secrets are masked.
  output longblob NOT NULL,
  -- When it was written.
  written_at datetime(3) NOT NULL,
  PRIMARY KEY (launch_id),
  KEY run_output_by_age (written_at)
);

-- One life of a node process. The row stays for as long as history names it.
CREATE TABLE session (
  -- Made by the process at its start; the key.
  session_id varchar(32) NOT NULL,
  -- The name that the node was started with; one live session has it at a time.
  node_name varchar(64) NOT NULL,
  -- live or ended. Only a live session may write.
  state varchar(5) NOT NULL,
  -- Number of the last renewal; one that stands still for a TTL is over.
  beats bigint unsigned NOT NULL DEFAULT 0,
  -- Milliseconds without a renewal after which others may end the session.
  ttl_ms int unsigned NOT NULL,
  -- When it started.
  started_at datetime(3) NOT NULL,
  -- When the last renewal was written.
  renewed_at datetime(3) NOT NULL,
  -- When it ended; null: it has not.
  ended_at datetime(3),
  -- Why it ended, for people.
  ended_why varchar(255),
  -- When an ended session held no slot any more; null: it may hold some.
  reaped_at datetime(3),
  -- Name of the host.
  host varchar(255) NOT NULL,
  -- Of the node process on its host.
  process_id int unsigned NOT NULL,
  -- Of the guardian that watches it; null: it runs without one.
  guardian_process_id int unsigned,
  -- Version of statecron.
  version varchar(64) NOT NULL,
  -- Version of the time zone data that it computes schedules with.
  timezone_data varchar(32) NOT NULL,
  -- How many slots it may hold at most.
  capacity int unsigned NOT NULL,
  -- How many launches it may execute at once.
  concurrency int unsigned NOT NULL,
  -- Its rank: jobs may prefer nodes of a higher level.
  level int NOT NULL DEFAULT 1,
  -- JSON list of `name` or `name=value`, which targets of jobs name.
  labels varchar(1000) NOT NULL DEFAULT '[]',
  -- Format of job definitions: nodes that do not know it leave the job alone.
  definition_format int unsigned NOT NULL DEFAULT 2,
  -- 1: it claims nothing more; it leaves, or is cordoned.
  draining tinyint unsigned NOT NULL DEFAULT 0,
  -- 1: it is draining since an operator wants it (node_hold), and stays.
  cordoned tinyint unsigned NOT NULL DEFAULT 0,
  -- Where it writes the whole output of runs, as JSON; null: nowhere.
  output_places varchar(500),
  -- 1: it writes `job.last_failure`; nodes of earlier versions do not.
  keeps_failures tinyint unsigned NOT NULL DEFAULT 0,
  -- JSON list of the users that it runs jobs as which name one; null: it does not say.
  users mediumtext,
  PRIMARY KEY (session_id),
  KEY session_by_failures (keeps_failures, ended_at),
  KEY session_by_node_name (node_name, state),
  KEY session_by_reaped (reaped_at, state)
);

-- The lifecycle: at most one launch for each row. Narrow, since every claim, start and finish
-- writes it. Only the arrows in `src/domain/run/arrows.ts` change `state`.
CREATE TABLE slot (
  -- The key.
  slot_id bigint unsigned NOT NULL AUTO_INCREMENT,
  -- The row of `job`.
  job_id bigint unsigned NOT NULL,
  -- The node; for slots of jobs that any node may run: ''.
  node_name varchar(64) NOT NULL DEFAULT '',
  -- Number of the slot among those of the job, from 0: one for each parallel run.
  slot_no int unsigned NOT NULL DEFAULT 0,
  -- The lock under which the row is changed: 0 to 63.
  stripe tinyint unsigned NOT NULL,
  -- idle, prepare or executing.
  state varchar(9) NOT NULL DEFAULT 'idle',
  -- What is due next: the earlier of cursor_at and the first pending launch; while a launch is
  -- prepared, when it ought to start. Null: nothing.
  next_run_at datetime(3),
  -- The next tick that nobody has claimed; null: there is none.
  cursor_at datetime(3),
  -- That of the launch it holds; null: it is idle.
  revision int unsigned,
  -- Of the launch it holds: schedule, manual, misfire, retry …; null: idle.
  triggered_by varchar(16),
  -- Names who asked for the launch, so that one request starts it once.
  request_id varchar(64),
  -- 1 for the first launch of a tick; each retry or rerun counts one up.
  attempt int unsigned,
  -- The scheduled time (tick); for a launch asked for by hand, when it was.
  scheduled_for datetime(3),
  -- The launch; made by the claiming node, never used twice.
  launch_id varchar(64),
  -- The row of `session`; null or empty: none.
  session_id varchar(32),
  -- When it started.
  started_at datetime(3),
  -- When its last launch that executed ended.
  ended_at datetime(3),
  -- When a stop of the launch was asked for; null: it was not.
  stop_requested_at datetime(3),
  -- When its last launch that executed started; null: not noted.
  last_started_at datetime(3),
  -- The row of `target`; 0: any node of any version may run it.
  target_id int unsigned NOT NULL DEFAULT 0,
  -- Since when a slot of a node owes its ticks; null: since the job was made.
  created_at datetime(3),
  PRIMARY KEY (slot_id),
  KEY slot_by_due (state, next_run_at, stripe, node_name, target_id),
  UNIQUE KEY slot_by_job (job_id, node_name, slot_no),
  UNIQUE KEY slot_by_launch (launch_id),
  KEY slot_by_node (node_name, job_id),
  KEY slot_by_session (session_id, stripe, state, next_run_at, node_name, target_id)
);

-- What jobs ask of the nodes that run them, each combination once; rows never change.
CREATE TABLE target (
  -- The key.
  target_id int unsigned NOT NULL AUTO_INCREMENT,
  -- SHA-256 of `target`, hexadecimal.
  target_hash char(64) NOT NULL,
  -- JSON: nodes, labels and groups that are wanted or excluded.
  target mediumtext NOT NULL,
  -- Format of job definitions: nodes that do not know it leave the job alone.
  definition_format int unsigned NOT NULL,
  -- The group of jobs; empty or null: none.
  job_group varchar(64) NOT NULL DEFAULT '',
  -- The user that the jobs name; null: none, or written by an earlier release.
  user_name varchar(64),
  PRIMARY KEY (target_id),
  KEY target_by_group (job_group),
  UNIQUE KEY target_by_hash (target_hash)
);

-- Numbers that change with what they are of, so that nodes notice and need not read all of it again
-- and again.
CREATE TABLE targeting_version (
  -- 1: of groups, targets and jobs of every node; 2: of the live sessions.
  version_id tinyint unsigned NOT NULL,
  -- The number.
  version bigint unsigned NOT NULL,
  PRIMARY KEY (version_id)
);
