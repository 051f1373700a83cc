import type { Command } from 'commander';
export function addNextCommand(program: Command, _setExitCode?: (code: number) => void): void {
  program.command('next');
}
