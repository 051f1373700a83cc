/** What of a line's command runs otherwise here than under cron, or may: sentences for people. */
export function warnOfCommand(
  { command, stdin }: { readonly command: string; readonly stdin: string | null },
  hasHome: boolean,
): string[] {
  const warnings: string[] = [];
  const bare = withoutQuoted(command);
  const [, apart] = /(?:^|[\s;&|(){}/])(nohup|setsid|disown)(?![\w./-])/.exec(bare) ?? [];
  if (bare.includes('&')) {
    warnings.push(
      'it starts something in the background (&): what still runs when the shell ends is killed; ' +
        'take the & away, or keep it: job edit … --leftovers leave',
    );
  } else if (apart !== undefined) {
    warnings.push(
      `${apart}: what it leaves running is killed when the shell ends; take it away, ` +
        'or keep it: job edit … --leftovers leave',
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

/** Of an `&` what is left is one that starts in the background. */
function withoutQuoted(command: string): string {
  return command
    .replace(quoted, (text) => (text.startsWith('#') ? '' : '_'))
    .replace(/\$\(\([^()]*\)\)/g, '_')
    .replace(/&&|[<>|]&|&>/g, ' ');
}

/** A comment begins only where a word does. */
const quoted = /\\.|\$?'(?<=\$')(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|(?<![^\s;&|()])#.*/g;
