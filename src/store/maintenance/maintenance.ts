import { deliverChains } from '../chains/deliverChains.ts';
import type { Channel } from '../connection/channel.ts';
import { cleanRecords } from './cleanRecords.ts';
import { cleanRequests } from './cleanRequests.ts';
import { dropOrphans } from './dropOrphans.ts';
import { resumeDueJobs } from './resumeDueJobs.ts';

/** Every so many rounds it is looked for what nobody waits for. */
const roundsPerTidying = 30;

/**
 * What is due by the database and is no tick: starts by chains, pauses that end by themselves,
 * requests for nodes that are gone. Any node does it, each thing once, under the job's stripe.
 */
export class Maintenance {
  readonly #channel: Channel;
  #round = 0;
  /** The last tidying has left something: the next round goes on, so that it keeps up. */
  #isMore = false;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** One bounded round; resolves to how much was done. Rejects with the driver's error. */
  async run(): Promise<number> {
    const isTidying = this.#isMore || this.#round % roundsPerTidying === 0;
    this.#round += 1;
    const started = await deliverChains(this.#channel);
    const resumed = await resumeDueJobs(this.#channel);
    return started + resumed + (isTidying ? await this.#tidy() : 0);
  }

  async #tidy(): Promise<number> {
    const dropped = await dropOrphans(this.#channel);
    const requests = await cleanRequests(this.#channel);
    const records = await cleanRecords(this.#channel);
    this.#isMore = requests.isMore || records.isMore;
    return dropped + requests.rows + records.rows;
  }
}
