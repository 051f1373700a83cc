/** What a table holds, and what each column means that has a meaning of its own there. */
export interface TableSentences {
  readonly table: string;
  readonly columns?: Readonly<Record<string, string>>;
}

export const sentences: Readonly<Record<string, TableSentences>> = {
  migration: {
    table: 'The migrations that the database has had.',
    columns: {
      migration_name: 'File name of the migration.',
      applied_at: 'When it was applied.',
    },
  },
  migration_lock: {
    table: 'The locks of migrations, and rows on which the engine is tried.',
    columns: {
      lock_id:
        '1 is locked by whoever migrates, 2 is a lease where Group Replication has several ' +
        'primaries; rows from 1,000,000 on are there for the moment of a trial.',
      taken:
        'Of 1 how often it was taken, of 2 until when (microseconds), of a trial when it began ' +
        '(milliseconds).',
    },
  },
  lock_row: {
    table:
      'The locks of the cluster. A transaction takes a lock by writing its row: 0 to 63 are the ' +
      'stripes that slots are dealt to, 64 is that of sessions.',
    columns: {
      lock_id: 'Number of the lock.',
      taken: 'How often it was taken: a lock is a write, so that it holds on Galera as well.',
    },
  },
  session: {
    table: 'One life of a node process. The row stays for as long as history names it.',
    columns: {
      session_id: 'Made by the process at its start; the key.',
      node_name: 'The name that the node was started with; one live session has it at a time.',
      state: 'live or ended. Only a live session may write.',
      beats: 'Number of the last renewal; one that stands still for a TTL is over.',
      ttl_ms: 'Milliseconds without a renewal after which others may end the session.',
      renewed_at: 'When the last renewal was written.',
      ended_why: 'Why it ended, for people.',
      reaped_at: 'When an ended session held no slot any more; null: it may hold some.',
      host: 'Name of the host.',
      process_id: 'Of the node process on its host.',
      guardian_process_id: 'Of the guardian that watches it; null: it runs without one.',
      version: 'Version of statecron.',
      timezone_data: 'Version of the time zone data that it computes schedules with.',
      capacity: 'How many slots it may hold at most.',
      concurrency: 'How many launches it may execute at once.',
      level: 'Its rank: jobs may prefer nodes of a higher level.',
      labels: 'JSON list of `name` or `name=value`, which targets of jobs name.',
      draining: '1: it claims nothing more; it leaves, or is cordoned.',
      cordoned: '1: it is draining since an operator wants it (node_hold), and stays.',
      output_places: 'Where it writes the whole output of runs, as JSON; null: nowhere.',
      users: 'JSON list of the users that it runs jobs as which name one; null: it does not say.',
      keeps_failures: '1: it writes `job.last_failure`; nodes of earlier versions do not.',
    },
  },
  node_activity: {
    table:
      'What the actors of a session do and have done, for the pages of other nodes; written at ' +
      'most every two seconds, and only while somebody looks.',
    columns: {
      reported_at: 'When it was written.',
      activity: 'States of the actors, counts of transitions and guards, as JSON.',
    },
  },
  node_hold: {
    table:
      'Nodes that an operator keeps from new work, by name: the next session of the name finds ' +
      'it. The last hold of a node stays, to explain the ticks that it missed.',
    columns: {
      held_since: 'When it was cordoned.',
      held_until: 'When it was uncordoned; null: it is cordoned.',
      held_by: 'Who cordoned it.',
      hold_note: 'Why, for people.',
    },
  },
  job: {
    table: 'A job by its name. A removed job keeps its row while history names it.',
    columns: {
      job_id: 'The key; never used again.',
      removed_no: '0; of a removed job its own id, so that its name is free again.',
      name: 'Unique among the jobs that are not removed.',
      revision: 'The newest revision.',
      paused: '1: no ticks are due. The pause is a revision, too.',
      ticks_run: 'Ticks that ran since the job was made or resumed, for `max-runs`.',
      failures_in_row: 'Ticks that failed one after the other, for `max-failures`.',
      every_node: '1: it has a slot for each node that may run it; 0: for the cluster.',
      history_from: 'History before it may have been cleaned away; null: it is whole.',
      resume_at: 'When the pause ends by itself; null: it does not.',
      resume_revision: 'The revision that the pause made, which a later pause replaces.',
      runs_deleted_until: 'Highest `run_id` of the job that was cleaned away; 0: none.',
      last_failure: 'How its last run failed; empty: it did not; null: the history knows.',
    },
  },
  job_revision: {
    table:
      'Every definition of a job with the time in which it was in force: [in_force_from, ' +
      'in_force_until). The due ticks of any time follow from this table alone.',
    columns: {
      definition: 'The fields of the job as JSON, under their stored names.',
      paused: '1: a pause, in which no ticks are due.',
      in_force_from: 'Its first instant.',
      in_force_until: 'The first instant after it; null: it is in force.',
      reason: 'Why it was made when no operator asked for it; null: one did.',
    },
  },
  slot: {
    table:
      'The lifecycle: at most one launch for each row. Narrow, since every claim, start and ' +
      'finish writes it. Only the arrows in `src/domain/run/arrows.ts` change `state`.',
    columns: {
      slot_id: 'The key.',
      stripe: 'The lock under which the row is changed: 0 to 63.',
      state: 'idle, prepare or executing.',
      next_run_at:
        'What is due next: the earlier of cursor_at and the first pending launch; while a ' +
        'launch is prepared, when it ought to start. Null: nothing.',
      cursor_at: 'The next tick that nobody has claimed; null: there is none.',
      revision: 'That of the launch it holds; null: it is idle.',
      triggered_by: 'Of the launch it holds: schedule, manual, misfire, retry …; null: idle.',
      ended_at: 'When its last launch that executed ended.',
      last_started_at: 'When its last launch that executed started; null: not noted.',
      stop_requested_at: 'When a stop of the launch was asked for; null: it was not.',
      created_at: 'Since when a slot of a node owes its ticks; null: since the job was made.',
    },
  },
  pending: {
    table:
      'Launches asked for that are not the next tick: runs by hand, misfires made up for, ' +
      'retries, backfills, chains. The claim that takes one deletes it.',
    columns: {
      pending_id: 'The key.',
      not_before: 'It is due from then on.',
    },
  },
  run: {
    table:
      'History: one row for each launch that was started, and one for each tick, or range of ' +
      'ticks, that ended without one (launch_id null). Written in the transaction that makes the ' +
      'slot idle, and never changed but by a result that comes late.',
    columns: {
      run_id: 'The key, which is the order of commits only nearly.',
      is_final: '1: no further attempt follows.',
      scheduled_until: 'Last tick of a range, included; null: it is one tick.',
      ticks: 'How many ticks the row stands for.',
      started_at: 'When its process began; null: none did.',
      ended_at: 'When it ended, or when it was known that nothing would start.',
      result: 'succeeded, failed, … as in `src/domain/run/run.ts`.',
      exit_code: 'Of the process; null: it has none.',
      term_signal: 'The signal that ended the process; null: none did.',
      reason: 'For people: what was wrong, or why nothing ran; null: nothing to say.',
      output_bytes: 'How much it printed, of which `run_output` keeps the end.',
    },
  },
  run_output: {
    table:
      'The output of ended launches, apart from their history and written before the finish, so ' +
      'that transactions stay small.',
    columns: {
      output: 'The kept end of stdout and stderr, as bytes; secrets are masked.',
      written_at: 'When it was written.',
    },
  },
  run_live: {
    table: 'The output of launches that execute, written only while somebody follows them.',
    columns: {
      asked_at: 'When somebody last asked to follow; the row is renewed while they do.',
      output: 'The end of the output so far; null: nothing was written yet.',
      output_bytes: 'How much was printed so far.',
      written_at: 'When the node last wrote it; null: not yet.',
    },
  },
  note: {
    table: 'Small facts about the database itself, e.g. that the samples were added once.',
    columns: { note_name: 'Names the fact.', note_value: 'The fact.' },
  },
  job_group: {
    table:
      'How many launches of a group of jobs may be held at once in the whole cluster. The row is ' +
      'the lock under which they are counted.',
    columns: {
      group_name: 'The group of jobs.',
      concurrency_max: 'The limit.',
      taken: 'Counts the claims that took the lock.',
    },
  },
  node_group: {
    table: 'Groups of nodes, which the targets of jobs name.',
    columns: { group_name: 'The group of nodes.', members: 'JSON list of node names.' },
  },
  target: {
    table: 'What jobs ask of the nodes that run them, each combination once; rows never change.',
    columns: {
      target_id: 'The key.',
      target_hash: 'SHA-256 of `target`, hexadecimal.',
      target: 'JSON: nodes, labels and groups that are wanted or excluded.',
      user_name: 'The user that the jobs name; null: none, or written by an earlier release.',
    },
  },
  targeting_version: {
    table:
      'Numbers that change with what they are of, so that nodes notice and need not read all of ' +
      'it again and again.',
    columns: {
      version_id: '1: of groups, targets and jobs of every node; 2: of the live sessions.',
      version: 'The number.',
    },
  },
  cleaning: {
    table: 'One row: which session cleans the history, and how far it has come.',
    columns: {
      cleaning_id: 'Always the same.',
      until_at: 'Until when that session has the work.',
      job_id: 'The last job that was cleaned in this pass; null: all of them were.',
      due_at: 'When the next pass is due.',
    },
  },
  chain_link: {
    table: 'Which job follows which, by the definitions in force.',
    columns: {
      job_id: 'The job that follows.',
      upstream: 'Name of the job that it follows.',
      wanted: 'Which end of the upstream starts it: success, failure or end.',
      linked_at: 'Ends of the upstream from then on count.',
      swept_until: 'Ends before it have been looked at.',
    },
  },
  launch_request: {
    table:
      "What was asked for with a launch beside the job's definition. Of a chain it also notes " +
      'that the end of the upstream has been dealt with, so that it starts the job once.',
    columns: {
      env: 'JSON object of variables; null: none.',
      wanted_node: 'The node that shall run it; null: any that may.',
      asked_at: 'When it was asked for.',
    },
  },
  audit_log: {
    table: 'Who changed what, written in the transaction of the change.',
    columns: {
      audit_id: 'The key.',
      happened_at: 'When.',
      actor: 'Name of the token, or user and host of the command line.',
      via: 'api or cli.',
      request_id: 'The request of the API, as its log has it.',
      address: 'Where the request came from; null: not by the API.',
      action: 'What was done, e.g. job.add.',
      target: 'Name of what was changed.',
      before_value: 'JSON; null: it was not there.',
      after_value: 'JSON; null: it is gone.',
      answer: 'What the change came to, kept for a repeat of the same request.',
      key_hash: 'Of the idempotency key of the request; null: it had none.',
    },
  },
  api_token: {
    table: 'Tokens of the API.',
    columns: {
      token_id: 'The part of the token that is shown; the key.',
      token_hash: 'SHA-256 of the whole token, which is not kept.',
      token_name: 'Unique among the tokens that are in force.',
      role: 'What it may do.',
      job_groups: 'JSON list of the groups of jobs that it is for; null: all.',
      last_used_at: 'When it let a request in last, to ten minutes; null: never that is known.',
      revoked_at: 'When it was revoked; null: it was not.',
      revoked_no: "''; of a revoked token its own id, so that its name is free again.",
    },
  },
  api_login: {
    table: 'Browsers that are logged in.',
    columns: {
      login_hash: 'SHA-256 of the cookie.',
      token_id: 'The token that it was logged in with.',
    },
  },
  idempotency_key: {
    table: 'Requests that came with an Idempotency-Key, and their answers.',
    columns: {
      key_hash: 'SHA-256 of caller and key.',
      request_hash: 'SHA-256 of what was asked for: the same key with another request is refused.',
      taken_at: 'When the request that holds the key began.',
      taken_no: 'Number of the request that holds the key.',
      changes: 'How many changes were committed under the key.',
      status: 'HTTP status of the kept answer; null: it is under way.',
      headers: 'Of the kept answer, as JSON.',
      body: 'Of the kept answer.',
    },
  },
  notice_target: {
    table: 'Where notifications go. Neither the CLI nor the API shows `secret` again.',
    columns: {
      target_name: 'The key.',
      address: 'URL or mail address.',
      secret: 'Signs webhooks; null: there is none.',
      events: 'The events of all jobs that it gets, separated by commas.',
      long_ms: 'A run that lasts longer is an event; null: none is.',
      minute_max: 'How many messages it gets in a minute at most.',
      session_id: 'The session that sends to it, so that no other does.',
      until_at: 'Until when that session does.',
      minute_from: 'When the minute began in which messages are counted.',
      minute_count: 'Messages in that minute.',
      rest_until: 'After a failure nothing is sent before.',
      failures: 'Failures one after the other.',
      last_sent_at: 'When a message last went out; null: none did.',
    },
  },
  notice_mute: {
    table:
      'What operators have muted, by name. A row stays for weeks after its end, since whether ' +
      'a recovery is sent depends on what became of its failure.',
    columns: {
      muted_kind: 'job, group (of jobs) or target.',
      muted_name: 'The name of it.',
      job_id: 'Of a job: a later one of the name is not muted. 0: it is no job.',
      since_at: 'Since when it is muted.',
      until_at: 'Until when; what became due before is never sent.',
      muted_by: 'Who muted it.',
      mute_note: 'Why, for people.',
    },
  },
  notice: {
    table:
      'The outbox of notifications, written in the transaction of what they are about; each once.',
    columns: {
      notice_id: 'The key.',
      stable_id: 'Names the notification, so that it is written once; receivers see it.',
      target_name: 'The row of `notice_target`.',
      event: 'Of what it notifies.',
      launch_id: 'The launch whose end takes it back; null: none does.',
      facts: 'JSON of what it says.',
      state: 'waiting, sent, digested (said in another one), dropped (moot), muted or given_up.',
      since_at: 'When it was first due.',
      due_at: 'When it is tried next.',
      tries: 'How often sending it was tried.',
      ended_at: 'When it left `waiting`; null: it waits.',
    },
  },
};
