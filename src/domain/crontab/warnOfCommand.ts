/** What of a line's command runs otherwise here than under cron, or may: sentences for people. */
export function warnOfCommand(
  { command, stdin }: { readonly command: string; readonly stdin: string | null },
  hasHome: boolean,
): string[] {
  const warnings: string[] = [];
  if (/(^|[^&\\])&\s*$/.test(command)) {
    warnings.push(
      'it ends with &: what it leaves running is killed when bash ends; take the & away, ' +
        'or keep it: job edit … --leftovers wait',
    );
  }
  if (stdin !== null) warnings.push('what follows its first % is its standard input, as in cron');
  const [program = ''] = command.trim().split(/\s/, 1);
  if (!hasHome && /^[^/~$'"`(){}=]+\//.test(program)) {
    warnings.push(
      `${program} is a relative path: it counts from the home of the user that runs it`,
    );
  }
  return warnings;
}
