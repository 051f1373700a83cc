/** Where a node writes what each of its runs prints, all of it; the database keeps a part. */
export interface OutputPlaces {
  /** The folder of the files; absent: it has none. */
  readonly files?: string;
  /** Each line is an entry of its journal as well. */
  readonly isJournaled?: boolean;
}

/** The file of one run. */
export interface OutputFilePlan {
  readonly path: string;
  /** What is more is not written, and the file says so at its end. */
  readonly bytesMax: number;
}

/** What is asked of a run to say where its output is. */
interface OutputOwner {
  readonly jobId: number;
  readonly launchId: string | null;
  readonly startedMs: number | null;
  readonly result: string | null;
  readonly outputBytes: number;
  /** Of its node's session; null: it writes none, or is of a version that does not. */
  readonly outputPlaces: OutputPlaces | null;
}

/**
 * The file of the run on its node, as long as it is kept there; null: there is none. One that
 * printed nothing has none; of one that is lost or goes on nobody knows whether it did.
 */
export function outputFileOfRun(run: OutputOwner): string | null {
  const { jobId, launchId, outputPlaces } = run;
  if (outputPlaces?.files === undefined || launchId === null || !mayHavePrinted(run)) return null;
  return outputFileOf(outputPlaces.files, jobId, launchId);
}

/** The command that shows its output on its node, if that is in the journal there, else null. */
export function outputCommandOfRun(run: OutputOwner): string | null {
  const { launchId, outputPlaces } = run;
  if (outputPlaces?.isJournaled !== true || launchId === null || !mayHavePrinted(run)) return null;
  return `journalctl STATECRON_LAUNCH_ID=${launchId}`;
}

function mayHavePrinted({ outputBytes, result, startedMs }: OutputOwner): boolean {
  return startedMs !== null && (outputBytes > 0 || result === null || result === 'lost');
}

/**
 * The file of a launch: `FOLDER/JOBID/SESSION-NUMBER.log`. Nothing in it comes from the job, whose
 * name may have anything in it.
 */
export function outputFileOf(folder: string, jobId: number, launchId: string): string {
  if (!/^[0-9A-Za-z]+:\d+$/.test(launchId)) throw new Error(`${launchId} is no launch id`);
  return `${folder}/${jobId}/${launchId.replace(':', '-')}.log`;
}
