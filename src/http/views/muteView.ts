import type { MuteShown } from '../../store/notifications/delivery/readMutes.ts';
import type { MuteChanged } from '../../store/notifications/mutes/changeMute.ts';
import type { Answer } from '../contract/apiContract.ts';
import type { ChangedMuteView } from '../contract/notificationContract.ts';
import { isoOf } from './isoOf.ts';

export type MuteView = Answer<'GET /notify/mutes'>['items'][number];

/** What is muted, as the API and `--json` show it. */
export function muteView({ kind, name, ...times }: MuteShown): MuteView {
  return { kind, name, ...timesView(times) };
}

/** What was muted or unmuted. */
export function changedMuteView({ isChanged, kind, mute, name }: MuteChanged): ChangedMuteView {
  return { kind, name, mute: mute === null ? null : timesView(mute), changed: isChanged };
}

type Times = Pick<MuteShown, 'by' | 'note' | 'sinceMs' | 'untilMs'>;

function timesView({ by, note, sinceMs, untilMs }: Times): NonNullable<ChangedMuteView['mute']> {
  return { since: isoOf(sinceMs), until: isoOf(untilMs), by, note };
}
