import type { Command } from 'commander';
export function addClusterCommand(program: Command, _setExitCode?: (code: number) => void): void {
  program.command('cluster');
}
