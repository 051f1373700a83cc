import type { Command } from 'commander';
export function addNodeCommand(program: Command, _setExitCode?: (code: number) => void): void {
  program.command('node');
}
