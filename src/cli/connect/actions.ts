import type { Command } from 'commander';
import {
  addClusterOptions,
  addDatabaseOptions,
  addExamples,
  addJsonOption,
  refuseUrl,
} from '../options/clusterOptions.ts';

/** Called by an action that ends with an exit code of its own, such as a job's. */
export type SetExitCode = (code: number) => void;

type Given = Parameters<Parameters<Command['action']>[0]>;
/** What a command does; one that resolves to a number ends with it as exit code. */
type Action = (...given: Given) => Promise<unknown>;

/** Where actions are found: the module is loaded when one of its commands is run. */
export class Actions<Module> {
  readonly #load: () => Promise<Module>;
  readonly #setExitCode: SetExitCode | undefined;

  /** @param setExitCode called with the exit code of an action that has one of its own */
  constructor(load: () => Promise<Module>, setExitCode?: SetExitCode) {
    this.#load = load;
    this.#setExitCode = setExitCode;
  }

  /** Completes a command that works on a cluster, through a node's API or the database. */
  cluster(command: Command, examples: string, pick: (module: Module) => Action): void {
    this.plain(addJsonOption(addClusterOptions(command)), examples, pick);
  }

  /** Completes a command that works on the database alone; `why` no node can do it. */
  database(
    command: Command,
    why: string,
    examples: string,
    pick: (module: Module) => Action,
  ): void {
    this.plain(addJsonOption(refuseUrl(addDatabaseOptions(command), why)), examples, pick);
  }

  /** Completes a command that has all of its options. */
  plain(command: Command, examples: string, pick: (module: Module) => Action): void {
    addExamples(command, examples).action(async (...given: Given) => {
      const outcome = await pick(await this.#load())(...given);
      if (typeof outcome === 'number') this.#setExitCode?.(outcome);
    });
  }
}
