import { OperatorError } from '../../domain/errors/errors.ts';
import { deliverChains } from '../chains/deliverChains.ts';
import type { Channel } from '../connection/channel.ts';
import { resumeDueJob } from '../jobs/changes/changeJob.ts';
import { only, text } from '../rows/row.ts';
import { cleanRecords } from './cleanRecords.ts';
import { dropOrphans } from './dropOrphans.ts';
import { retargetUsers } from './retargetUsers.ts';

/** Every so many rounds it is looked for what nobody waits for. */
const roundsPerTidying = 30;

/**
 * What is due by the database and is no tick: starts by chains, pauses that end by themselves,
 * requests for nodes that are gone, and at the start targets that an earlier release has written.
 * Any node does it, each thing once, under the job's stripe.
 */
export class Maintenance {
  readonly #channel: Channel;
  #round = 0;
  /** The last tidying has left something: the next round goes on, so that it keeps up. */
  #isMore = false;
  /** Jobs after this id may have a target of an earlier release; null: all have been seen. */
  #retargetAfterId: number | null = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** One bounded round; resolves to how much was done. Rejects with the driver's error. */
  async run(): Promise<number> {
    const isTidying = this.#isMore || this.#round % roundsPerTidying === 0;
    this.#round += 1;
    const started = await deliverChains(this.#channel);
    const resumed = await resumeDueJobs(this.#channel);
    const retargeted = await this.#retarget();
    return started + resumed + retargeted + (isTidying ? await this.#tidy() : 0);
  }

  /** Once in the life of each node: as the last one begins, those of earlier releases are gone. */
  async #retarget(): Promise<number> {
    if (this.#retargetAfterId === null) return 0;
    const { jobs, afterId } = await retargetUsers(this.#channel, this.#retargetAfterId);
    this.#retargetAfterId = afterId;
    return jobs;
  }

  async #tidy(): Promise<number> {
    const dropped = await dropOrphans(this.#channel);
    const { rows, isMore } = await cleanRecords(this.#channel);
    this.#isMore = isMore;
    return dropped + rows;
  }
}

/** Few at a time: the others have their turn at the next round, of any node. */
const jobsMax = 20;

/**
 * Resumes the jobs whose pause has come to its end, each as `job resume` does it, under its lock.
 * Resolves to how many. Throws what the driver throws.
 */
async function resumeDueJobs(channel: Channel): Promise<number> {
  let resumed = 0;
  for (const name of await channel.rows(only(text), selectDue, [jobsMax])) {
    try {
      const { isChanged } = await resumeDueJob(channel, name);
      if (isChanged) resumed += 1;
    } catch (error) {
      // It was removed meanwhile, or nobody knows: the next round looks again.
      if (!(error instanceof OperatorError)) throw error;
    }
  }
  return resumed;
}

const selectDue = `/* resumeDueJobs */ SELECT name FROM job
  WHERE resume_at <= NOW(3) AND paused = 1 AND removed_no = 0 AND resume_revision = revision
  ORDER BY resume_at LIMIT ?`;
