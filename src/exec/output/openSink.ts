import { reasons } from '../../domain/reasons/reasons.ts';
import { markName } from '../process/launchTag.ts';
import type { RunRequest } from '../request/runRequest.ts';
import type { DiskQueue } from './diskQueue.ts';
import type { JournalHelper } from './journalHelper.ts';
import { JournalOutput } from './journalOutput.ts';
import { OutputFile } from './outputFile.ts';
import { joinSinks, type MakeSink, type OutputSink } from './outputSink.ts';

export interface SinkTools {
  readonly disk: DiskQueue;
  /** Null: there is no Perl for it. */
  readonly journal: JournalHelper | null;
}

/**
 * What gets the whole output of a run; null: nothing does.
 * @param hold says whether the run's output is to be left unread for now
 */
export function openSink(
  request: RunRequest,
  { disk, journal }: SinkTools,
  hold: (isHeld: boolean) => void,
): OutputSink | null {
  const { isJournaled = false, outputFile } = request;
  if (outputFile === undefined && !isJournaled) return null;
  const makers: MakeSink[] = [];
  if (outputFile !== undefined) makers.push((held) => new OutputFile(outputFile, disk, held));
  if (isJournaled) {
    const fields = fieldsOf(request);
    makers.push((held) =>
      journal === null ? withoutPerl : new JournalOutput(fields, journal, held),
    );
  }
  return joinSinks(makers, hold);
}

/** Named as the variables of the job. */
function fieldsOf({ attempt, jobName, launchId, nodeName }: RunRequest) {
  return {
    ...{ PRIORITY: '6', SYSLOG_IDENTIFIER: 'statecron-run' },
    ...{ STATECRON_JOB: jobName, [markName]: launchId },
    ...{ STATECRON_NODE: nodeName, STATECRON_ATTEMPT: `${attempt}` },
  };
}

const withoutPerl: OutputSink = {
  write: () => undefined,
  end: async () =>
    reasons.outputIncomplete('output in the journal', 'it needs Perl on the node: perl-base'),
};
