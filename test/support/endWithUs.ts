import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Names the folder in the environment of a server, so that what it starts is found as well. */
export const folderMark = 'STATECRON_TEST_FOLDER';

/**
 * A shell that reads from us. At the end of file we are gone, and it ends every server that has its
 * data below the folder, whenever that was started, and everything that carries the folder's mark;
 * then it removes the folder.
 */
export function endWithUs(folder: string): { dismiss(): Promise<void> } {
  const child = spawn('sh', ['-c', endScript, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  return {
    async dismiss() {
      const ended = once(child, 'exit');
      // Else nothing would keep a test process alive that has done everything else.
      child.ref();
      child.stdin.end('dismissed\n');
      await ended;
    },
  };
}

// Twice, since a server may just be starting something.
const endScript = `read -r line && exit
for round in 1 2; do
  for file in $(
    grep -slze "^--datadir=$1/" /proc/[0-9]*/cmdline
    grep -slzxFe "${folderMark}=$1" /proc/[0-9]*/environ
  ); do
    process=\${file#/proc/}
    kill -9 "\${process%%/*}" 2>/dev/null
  done
done
rm -rf "$1"`;
