import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/** The end of a node whose launcher is gone, by its guardian's restart. */
export class LauncherLostError extends OperatorError {
  /** @param how a signal or `exit N` */
  constructor(how: string) {
    super({
      code: 'launcher_lost',
      message: `The launcher ended (${how}), which starts this node's jobs: what ran is killed.`,
      hint:
        'After SIGKILL look whether the kernel was out of memory (journalctl -k): then give the ' +
        'machine more, or the node fewer jobs at once (--concurrency). The node starts again.',
      exitCode: exitCodes.tryAgain,
    });
  }
}
