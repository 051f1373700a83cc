import { exitCodes, OperatorError } from '../../domain/errors.ts';
import type { Operator } from '../../store/operator/operator.ts';

type Notices =
  | ('addNoticeTarget' | 'editNoticeTarget' | 'removeNoticeTarget' | 'testNoticeTarget')
  | ('listNotices' | 'listNoticeTargets' | 'retryNotices');

/** Targets of notices have secrets, and no route yet: the database is asked for them. */
export function httpNotices(): Pick<Operator, Notices> {
  const refuse = async (): Promise<never> => {
    throw new OperatorError({
      code: 'not_over_api',
      message: 'Notification targets are not told of by the API of a node.',
      hint: 'Ask the database itself: --database-url, or STATECRON_DATABASE_URL',
      exitCode: exitCodes.usage,
    });
  };
  return {
    ...{ addNoticeTarget: refuse, editNoticeTarget: refuse, removeNoticeTarget: refuse },
    ...{ testNoticeTarget: refuse, listNotices: refuse, listNoticeTargets: refuse },
    retryNotices: refuse,
  };
}
