import { quoteForShell } from '../text/quoteForShell.ts';

/** Whether a SHELL variable names another shell than bash, which runs every command here. */
export function isOtherShell(shell = ''): boolean {
  return shell !== '' && !/(^|\/)bash$/.test(shell);
}

/** The command for bash that gives a line's command to the shell of its SHELL variable. */
export function runByShell(shell: string, command: string): string {
  return `exec ${quote(shell)} -c ${quote(command)}`;
}

/** What an edit is to say that gives a command of another shell to bash; null: it does not. */
export function warnOfShell(before: string, after: string): string | null {
  const [, shell] = byShell.exec(before) ?? [];
  if (shell === undefined || after === before || byShell.test(after)) return null;
  const kept = runByShell(shell, after);
  return `bash runs the command now, where ${shell} did; to keep that, the command is: ${kept}`;
}

/** As the line has it, and as cron logs it: without the shell of a SHELL variable around it. */
export function lineCommand(command: string): string {
  const wrapped = byShell.exec(command);
  return wrapped?.[2]?.replaceAll("'\\''", "'") ?? wrapped?.[3] ?? command;
}

const byShell = /^exec (\S+) -c (?:'([\s\S]*)'|(\S+))$/;

/** As one argument for bash. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : quoteForShell(text);
}
