import type { ProblemCode } from './problemGuide.ts';

/**
 * The problems that a route can answer with beside those of every request.
 * @param id the name of the operation in the document
 * @param path as the document has it: `/api/v1/jobs/{job}`
 */
export function problemsOfRoute(id: string, path: string): ProblemCode[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => ofPath[name] ?? []);
  return [...new Set([...named, ...(ofOperation[id] ?? [])])];
}

const ofPath: Readonly<Record<string, readonly ProblemCode[]>> = {
  job: ['job_missing'],
  run: ['run_missing'],
  revision: ['revision_missing'],
  machine: ['machine_missing'],
  target: ['target_missing'],
  token: ['token_missing'],
};

/** What a definition of a job may be refused for. */
const definition: readonly ProblemCode[] = [
  ...(['chain_cycle', 'upstream_missing', 'target_missing', 'target_kind'] as const),
  ...(['group_missing', 'too_complex', 'pause_over'] as const),
];
const change: readonly ProblemCode[] = ['revision_changed', 'job_executing', ...definition];
const file: readonly ProblemCode[] = ['bad_file', 'job_missing', ...definition];
const ofOperation: Readonly<Record<string, readonly ProblemCode[]>> = {
  bulkJobs: ['count_differs', 'pause_over'],
  addJob: ['job_exists', ...definition],
  replaceJob: ['if_match_missing', ...change],
  patchJob: ['if_match_missing', ...change],
  removeJob: ['revision_changed', 'job_followed'],
  pauseJob: ['pause_over'],
  runJob: ['overlap', 'node_away', 'node_not_eligible', 'node_outranked', 'node_too_old'],
  skipNext: ['job_paused', 'no_tick'],
  backfillJob: [
    ...(['backfill_future', 'too_many_ticks', 'too_complex'] as const),
    ...(['revision_changed', 'node_not_eligible'] as const),
  ],
  diffRevisions: ['definition_unknown'],
  readRevision: ['definition_unknown'],
  rollbackJob: ['revision_missing', 'definition_unknown', ...change],
  readNextTicks: ['too_complex'],
  previewSchedule: ['too_complex'],
  stopRun: ['run_ended', 'job_missing'],
  retryRun: ['run_goes_on', 'no_launch', 'job_missing', 'node_not_eligible'],
  planFile: file,
  applyFile: ['job_exists', 'job_followed', 'revision_changed', 'job_executing', ...file],
  getMachinesLive: ['node_missing'],
  forgetNode: ['node_live', 'node_not_reaped'],
  cordonNode: ['node_missing'],
  drainNode: ['node_missing'],
  uncordonNode: ['node_missing'],
  verify: ['job_missing'],
  readDrawing: ['drawing_missing'],
  readGroup: ['group_missing'],
  putGroup: [
    ...(['group_exists', 'group_missing', 'revision_changed', 'if_match_missing'] as const),
    'too_many_groups',
  ],
  removeGroup: ['group_missing', 'group_in_use', 'revision_changed'],
  addNotificationTarget: ['target_exists', 'too_many_targets'],
  removeNotificationTarget: ['target_named'],
  listNotifications: ['target_missing'],
  mute: ['job_missing', 'job_group_missing', 'target_missing', 'mute_over'],
  unmute: ['job_missing', 'job_group_missing', 'target_missing'],
  addToken: ['token_exists', 'too_many_tokens'],
};
