import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/** The guardian of this node is gone, so nobody would kill its runs in time. */
export class GuardianLostError extends OperatorError {
  constructor(runs: number) {
    const what = runs === 1 ? 'its run' : `its ${runs} runs`;
    super({
      code: 'guardian_lost',
      message: `The guardian of this node is gone, so the node kills ${what} and ends.`,
      hint: 'Start it again; its slots are free for others when its session has run out.',
      exitCode: exitCodes.tryAgain,
    });
  }
}
