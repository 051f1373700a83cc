import type { FieldChange } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';

/** What is to become of the lines of a crontab. */
export interface ImportPlan {
  readonly prefix?: string;
  readonly replace?: boolean;
  /** Lines may change the command, group and node of jobs that may be another crontab's. */
  readonly update?: boolean;
  readonly observe?: boolean;
  readonly paused?: boolean;
  /** false: on any, those too that are there already. */
  readonly onNode?: string | false;
  readonly group?: string;
  /** Whose crontab it is. */
  readonly user?: string;
  readonly timezone: string;
  readonly origin: string;
  /** The origin is a path, not standard input. */
  readonly isFile: boolean;
  /** Those of this machine. */
  readonly users: ReadonlySet<string>;
}

/** What became of one line; `added` and the like say what would, where nothing was changed. */
export interface ImportedLine {
  readonly line: number;
  readonly text: string;
  readonly result: Written | 'read' | 'variable' | 'comment' | 'blank' | 'fault';
  readonly notes: readonly string[];
  readonly job?: Pick<JobDefinition, 'name' | 'schedule' | 'timezone'>;
  readonly message?: string;
  /** Of a job that is there, somebody's own edits taken back included. */
  readonly changes?: readonly FieldChange[];
}

type Written = 'added' | 'updated' | 'unchanged';

/** The same before it is written; both null: it is no job. */
export interface PlannedLine extends ImportedLine {
  /** As it will be, with what a job that is there keeps. */
  readonly made: JobDefinition | null;
  readonly define: ((current: JobDefinition | null) => JobDefinition) | null;
  /** Those of its notes that an import before has said. */
  readonly known: readonly string[];
  /** Where its job came from before; null: from here, or it is new. */
  readonly from: string | null;
}

/** Jobs without a line here that came from `origin`, where others of the crontab came from, too. */
export interface GoneJobs {
  readonly origin: string;
  readonly names: readonly string[];
}

/** A new job, whose name has a number since another job has the name without. */
export interface Numbered {
  readonly name: string;
  readonly other: Pick<JobDefinition, 'name' | 'user'>;
}
