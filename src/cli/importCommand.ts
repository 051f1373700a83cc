import type { Command } from 'commander';
export function addImportCommand(program: Command, _setExitCode?: (code: number) => void): void {
  program.command('import');
}
