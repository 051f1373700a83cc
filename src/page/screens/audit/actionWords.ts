/** What was done, in words; an action of a later version as it stands in the log. */
export function actionWords(action: string): string {
  return words[action] ?? action;
}

const words: Readonly<Record<string, string>> = {
  'cluster.restore': 'cluster restored',
  'group.change': 'node group changed',
  'job.add': 'job added',
  'job.backfill': 'past ticks requested',
  'job.edit': 'job edited',
  'job.pause': 'job paused',
  'job.remove': 'job removed',
  'job.resume': 'job resumed',
  'job.rollback': 'job rolled back',
  'job.run': 'run requested',
  'job.skipNext': 'next ticks skipped',
  'limit.change': 'limit changed',
  'login.add': 'logged in',
  'login.end': 'logged out',
  'node.cordon': 'node cordoned',
  'node.drain': 'node drained',
  'node.forget': 'node forgotten',
  'node.uncordon': 'node uncordoned',
  'notify.add': 'target added',
  'notify.edit': 'target changed',
  'notify.mute': 'alerts muted',
  'notify.remove': 'target removed',
  'notify.retry': 'alerts sent again',
  'notify.test': 'test sent',
  'notify.unmute': 'alerts unmuted',
  'request.stop': 'request withdrawn',
  'run.retry': 'run tried again',
  'run.stop': 'run stopped',
  'token.add': 'token added',
  'token.revoke': 'token revoked',
};
