import type { Takeable } from '../../../src/domain/targeting/takeable.ts';
import type { Mutation } from '../scenario.ts';

/** Whose store it is, and what it remembers. */
export interface StoreSession {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly nextLaunchId: () => string;
  readonly caches?: NodeCaches;
  /** A bug that is planted in this store, to see that it is found. */
  readonly mutation?: Mutation | null;
}

/** What a node's store remembers, so that it need not read it again. */
export class NodeCaches {
  readonly #revisions = new Set<string>();
  #targetingVersion = -1;
  #answer: { readonly versions: string | null; readonly takeable: Takeable } | null = null;
  /** Rounds of maintenance. */
  rounds = 0;

  /** What may be taken at these versions: as it is known, or as it is read. */
  takeableAt(
    versions: string,
    read: (isFirst: boolean) => { readonly takeable: Takeable; readonly isLasting: boolean },
  ): Takeable {
    if (this.#answer?.versions === versions) return this.#answer.takeable;
    const { isLasting, takeable } = read(this.#answer === null);
    this.#answer = { versions: isLasting ? versions : null, takeable };
    return takeable;
  }

  /** Whether the targeting of a version has to be read; from now on it is known. */
  isNewTargeting(version: number): boolean {
    const isNew = this.#targetingVersion !== version;
    this.#targetingVersion = version;
    return isNew;
  }

  /** The same of a revision of a job. */
  isNewRevision(key: string): boolean {
    if (this.#revisions.has(key)) return false;
    this.#revisions.add(key);
    return true;
  }
}
