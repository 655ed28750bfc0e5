import type { Schema } from '../api/service.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { day, list, relative } from '../terminal/words.js';
import { licenseTable } from './line.js';

const DELIVERIES = {
  waiting: 'waits to be mailed',
  sent: 'mailed to the buyer',
  undelivered: 'could not be mailed; mail it again with: pierhead licenses rotate --mail',
};

/** All that is known of a license, and its devices. */
export function licenseDetails(
  license: Schema<'LicenseWithDevices'>,
  extension: string,
  style: Style,
  now: Date,
): string {
  const { source, campaign, delivery, createdAt, id, devices, team, entitlements, metadata } = license;
  const facts = [
    ['Extension', extension],
    ['Sold', source === 'manual' ? 'issued by hand' : source.startsWith('batch:') ? 'issued in a batch' : source],
    ['Since', day(createdAt, now)],
    ...(campaign === null ? [] : [['Campaign', campaign]]),
    ...(delivery === null ? [] : [['Code', DELIVERIES[delivery]]]),
    ...(team === null ? [] : [['Team', `${team.members} of ${team.maxMembers} people besides the buyer`]]),
    ...(entitlements.length === 0 ? [] : [['Features', `${list(entitlements)}, besides its plan’s`]]),
    ...Object.entries(metadata).map(([name, value]) => [name, value]),
    ['Id', id],
  ];
  const parts = [licenseTable([license], style, now), table(facts, style, { endsInProse: true })];
  if (devices.length > 0) parts.push(deviceTable(devices, style, now));
  return parts.join('\n\n');
}

const deviceTable = (devices: readonly Schema<'Device'>[], style: Style, now: Date): string =>
  table(
    devices.map(({ id, label, firstSeenAt, lastSeenAt }) => [
      label ?? '—',
      relative(lastSeenAt, now),
      day(firstSeenAt, now),
      id,
    ]),
    style,
    { heads: ['DEVICE', 'SEEN', 'SINCE', 'ID'], whole: [1, 2, 3], dispensable: [2, 1] },
  );
