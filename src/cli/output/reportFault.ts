import { CommanderError } from 'commander';
import { type ExitCode, exitCodes, FieldError, OperatorError } from '../../domain/errors/errors.ts';
import { flaggedMessage } from '../../domain/job/fieldFault.ts';
import { databaseFault } from '../../store/connection/databaseFault.ts';
import { escapeControls, safeJson } from './escapeControls.ts';

/** A mistake in how a command was called: exit code 2. */
export function usageFault(message: string, hint = 'See: statecron --help'): OperatorError {
  return new OperatorError({ code: 'usage', message, hint, exitCode: exitCodes.usage });
}

/**
 * Says on stderr what went wrong and what to do, one line each; returns the exit code.
 * @param flags those that name the database, as `databaseFlags` has them
 */
export function reportFault(error: unknown, isJson: boolean, flags = ''): ExitCode {
  const fault = faultOf(error);
  const { code, exitCode } = fault;
  const hint = forDatabase(fault.hint, flags);
  const message = fault instanceof FieldError ? flaggedMessage(fault) : fault.message;
  if (isJson) {
    process.stderr.write(`${safeJson({ error: { code, message, hint } })}\n`);
  } else {
    const lines = message.split('\n').map(escapeControls).join('\n');
    process.stderr.write(`statecron: ${lines}\nhint: ${escapeControls(hint)}\n`);
  }
  return exitCode;
}

/**
 * A command of a hint that changes the database itself, for the one that is meant. The account that
 * was given may lack the rights to migrate, so that another one is left to be filled in.
 */
export function forDatabase(hint: string, flags: string): string {
  const ofMigrations = flags
    .replace(/(?<=:\/\/)[^:/@]*(?=(?::PASSWORD)?@)/, 'ACCOUNT')
    .replace(/(?<=-file )(?:'[^']*'|\S)+/g, 'FILE');
  return hint
    .replace(/statecron migrate(?=$|,)/, (command) => command + ofMigrations)
    .replace(/statecron restore --confirm(?=$|,)/, (command) => command + flags);
}

function faultOf(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  if (error instanceof CommanderError) return usageOf(error);
  const fault = databaseFault(error);
  if (fault !== null) return fault;
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new OperatorError({
    code: 'internal',
    message: `This should not have happened: ${shown}`,
    hint: 'Please report it with the lines above.',
    cause: error,
  });
}

function usageOf(error: CommanderError): OperatorError {
  if (error.code === 'commander.help' || error.code === 'commander.helpDisplayed') {
    return usageFault('A command is missing.', 'The help above lists the commands.');
  }
  return usageFault(`${error.message.replace(/^error: /, '')}.`);
}
