/**
 * The node may not act any more: its lease was over before the spawn, or the run was ended because
 * the node is fenced. Nothing of the launch lives, nothing of it may be recorded. Null: all
 * launches.
 */
export class FencedError extends Error {
  override readonly name = 'FencedError';

  constructor(launchId: string | null) {
    const what = launchId === null ? 'The launches of this node' : `Launch ${launchId}`;
    super(`${what} did not go on: the node's lease is over.`);
  }
}
