import type { JobPause } from '../../domain/job/edit/jobPause.ts';
import type { FileFault } from '../../domain/jobFile/parseYaml.ts';
import {
  definitionsOf,
  type PlannedStep,
  type PresentJob,
  planApply,
  type WantedJob,
} from '../../domain/jobFile/planApply.ts';
import { readYamlFile, type YamlFile } from '../../domain/jobFile/readYamlFile.ts';

import { firstTicks } from '../../domain/run/tickSource.ts';
import { describeSchedules } from '../../domain/schedule/describeSchedules.ts';
import { isoInZone } from '../../domain/schedule/placeInZone.ts';
import {
  faultsOfRequest,
  type NextRequest,
  nextOfSet,
  setOfRequest,
} from '../../domain/schedule/read/answerNext.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import {
  type ScheduleFields,
  type ScheduleSetFault,
  scheduleFields,
} from '../../domain/schedule/schedule.ts';
import type { Answer } from '../contract/apiContract.ts';

/** Ticks that a schedule names, strictly after an instant, or at most until one. */
interface TicksRequest {
  readonly schedule: ScheduleFields;
  readonly inForceFromMs: number;
  readonly afterMs: number;
  readonly untilMs?: number;
  readonly ticksMax: number;
}

/**
 * What takes as long as a request wants it to, done in a thread of its own: what goes in and what
 * comes out is plain data, and what is wrong with it is data, too.
 */
export const calculations = {
  readPlan,
  workOutPlan,
  previewTicks,
  nextTicks: ({ schedule, inForceFromMs, afterMs, untilMs, ticksMax }: TicksRequest): number[] => {
    const ticks = ticksOfRevision(schedule, inForceFromMs);
    const next = (fromMs: number): number | null => {
      const tickMs = ticks.next(fromMs);
      return tickMs === null || (untilMs !== undefined && tickMs > untilMs) ? null : tickMs;
    };
    return firstTicks({ ...ticks, next }, afterMs, ticksMax);
  },
};

export type Calculations = typeof calculations;

interface PreviewRequest extends NextRequest {
  /** Names of zones beside that of the schedule, and UTC. */
  readonly zones: readonly string[];
}

/**
 * The next ticks, also as the clocks of zones show them, and the schedule in a sentence. In JSON,
 * since the event loop would have to copy thousands of strings, and write them, for each request.
 */
function previewTicks({
  zones,
  ...request
}: PreviewRequest): Uint8Array<ArrayBuffer> | readonly ScheduleSetFault[] {
  const set = setOfRequest(request);
  if ('error' in set) return faultsOfRequest(request);
  const ticks = nextOfSet(set, request);
  const shown = [...new Set([set.timezone, ...zones, 'UTC'])];
  const answer: Answer<'POST /schedule/preview'> = {
    ...ticks,
    sentence: describeSchedules(set),
    zones: shown.map((timezone) => ({
      timezone,
      next: ticks.next.map((instant) => isoInZone(instant, timezone)),
    })),
  };
  return new TextEncoder().encode(JSON.stringify(answer));
}

/** What decides when a job is due, of all that a definition may hold. */
export function scheduleOf(definition: ScheduleFields): ScheduleFields {
  const given = scheduleFields.filter((field) => definition[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, definition[field]])) as ScheduleFields;
}

interface PlanText {
  readonly text: string;
  readonly group: string | undefined;
}

/** What has to be looked up for a file before its jobs can be made. */
export interface PlanRead extends Pick<YamlFile, 'faults' | 'group' | 'jobs'> {
  readonly names: readonly string[];
}

interface PlanParts extends PlanText {
  readonly nowMs: number;
  /** Those that the file names, and those that may be removed. */
  readonly jobs: readonly PresentJob[];
  readonly removable: readonly string[];
}

export interface PlanWorkedOut {
  readonly faults: readonly FileFault[];
  readonly steps: readonly PlanStep[];
  readonly warnings: readonly string[];
}

/** A step that can be sent between threads. */
export interface PlanStep extends Omit<PlannedStep, 'wanted'> {
  /** In JSON, so that thousands are not read at once; null: it is removed, or stays as it is. */
  readonly definition: string | null;
  /** As `WantedJob` has it. */
  readonly pause?: JobPause | null;
}

/** Reads a file of jobs. */
function readPlan({ text, group }: PlanText): PlanRead {
  const read = readYamlFile(text, group === undefined ? {} : { group }, 0);
  const names = [...new Set(read.names)];
  return { faults: read.faults, group: read.group, jobs: read.jobs, names };
}

/** The steps from what there is to what a file wants, or what is wrong with it. */
function workOutPlan(parts: PlanParts): PlanWorkedOut {
  const { group, jobs, nowMs, removable, text } = parts;
  const byName = new Map(jobs.map((job) => [job.definition.name, job]));
  const read = readYamlFile(text, group === undefined ? {} : { group }, nowMs);
  const faults: FileFault[] = [];
  const wanted: WantedJob[] = [];
  for (const job of read.make(definitionsOf(byName))) {
    if ('message' in job) faults.push(job);
    else wanted.push(job);
  }
  if (faults.length > 0) return { faults: faults.slice(0, faultsMax), steps: [], warnings: [] };
  const planned = planApply(wanted, { jobs: byName, removable });
  return {
    faults: planned.faults.slice(0, faultsMax),
    steps: planned.steps.map(({ wanted: job, ...step }) => {
      if (job === null || step.action === 'unchanged') return { ...step, definition: null };
      const { define, pause } = job;
      const definition = JSON.stringify(define(null));
      return { ...step, definition, ...(pause === undefined ? {} : { pause }) };
    }),
    warnings: wanted.flatMap((job) => job.warnings.map((each) => `${job.name}: ${each}`)),
  };
}

/** Whoever gets so many has enough to do. */
const faultsMax = 1_000;
