import { OperatorError } from '../../domain/errors/errors.ts';

/** The fault that no session of a node's name is known. */
export function nodeMissing(name: string): OperatorError {
  return new OperatorError({
    code: 'node_missing',
    message: `There was no node ${JSON.stringify(name)}.`,
    hint: 'See the nodes of the last days: statecron cluster --ended 30d',
    missing: name,
  });
}
