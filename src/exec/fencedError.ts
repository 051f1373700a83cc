/**
 * The node may not act any more: its lease was over right before the spawn, or the run was ended
 * because the node is fenced. Nothing of this launch lives and nothing of it may be recorded.
 */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  readonly launchId: string;

  constructor(launchId: string) {
    super(`Launch ${launchId} did not go on: the node's lease is over.`);
    this.launchId = launchId;
  }
}
