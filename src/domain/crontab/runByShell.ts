import { quoteForShell } from '../text/quoteForShell.ts';

/** Whether a SHELL variable names another shell than bash, which runs every command here. */
export function isOtherShell(shell = ''): boolean {
  return shell !== '' && !/(^|\/)bash$/.test(shell);
}

/** The command for bash that gives a line's command to the shell of its SHELL variable. */
export function runByShell(shell: string, command: string): string {
  return `exec ${quote(shell)} -c ${quote(command)}`;
}

/** As the line has it, and as cron logs it: without the shell of a SHELL variable around it. */
export function lineCommand(command: string): string {
  const wrapped = /^exec \S+ -c (?:'([\s\S]*)'|(\S+))$/.exec(command);
  return wrapped?.[1]?.replaceAll("'\\''", "'") ?? wrapped?.[2] ?? command;
}

/** As one argument for bash. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : quoteForShell(text);
}
