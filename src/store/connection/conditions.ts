import type { Parameter } from './queryable.ts';

/** The conditions of a WHERE, each with its parameters. */
export class Conditions {
  readonly parameters: Parameter[] = [];
  readonly #conditions: string[];

  constructor(...withoutParameters: string[]) {
    this.#conditions = withoutParameters;
  }

  /** Adds a condition; nothing when a value is undefined. */
  need(condition: string, ...values: readonly (Parameter | undefined)[]): void {
    const given = values.filter((value) => value !== undefined);
    if (given.length < values.length) return;
    this.#conditions.push(condition);
    this.parameters.push(...given);
  }

  get isEmpty(): boolean {
    return this.#conditions.length === 0;
  }

  /** The WHERE, or nothing where there are no conditions. */
  get where(): string {
    return this.isEmpty ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}
