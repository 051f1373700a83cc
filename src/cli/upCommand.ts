import type { Command } from 'commander';
export function addUpCommand(program: Command, _setExitCode?: (code: number) => void): void {
  program.command('up');
}
