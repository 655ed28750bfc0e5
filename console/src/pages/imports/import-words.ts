import type { Schemas } from '../../api';
import { counted } from '../../ui/format';
import type { State } from '../../ui/status';

export type Listed = Schemas['ListedImport'];
export type FileImport = Schemas['FileImport'];
export type Profile = NonNullable<Listed['profile']>;
export type Field = NonNullable<Schemas['ImportColumn']['field']>;
export type Word = NonNullable<Schemas['ImportStatus']['status']>;

/** The tools whose files are known. */
export const TOOLS: Readonly<Record<Profile, string>> = {
  gumroad: 'Gumroad',
  keygen: 'Keygen',
  lemonsqueezy: 'Lemon Squeezy',
  pierhead: 'Pierhead',
  polar: 'Polar',
};

/** What a column may hold. */
export const FIELDS: Readonly<Record<Field, string>> = {
  email: 'E-mail address',
  tier: 'Tier or product',
  code: 'Code',
  order: 'Order',
  status: 'Status',
  expiresAt: 'End',
  maxActivations: 'Number of devices',
  entitlements: 'Features',
  metadata: 'Your data',
};

/** What a status of a file may come to. */
export const WORDS: Readonly<Record<Word, string>> = {
  active: 'active',
  suspended: 'suspended',
  revoked: 'revoked',
  expired: 'expired',
  skip: 'leave these lines out',
};

/** Display of the state of an import. */
export const STATES: Readonly<Record<Listed['state'], readonly [state: State, word: string]>> = {
  uploading: ['underway', 'arriving'],
  unread: ['needs_you', 'columns not known'],
  checking: ['underway', 'being checked'],
  ready: ['needs_you', 'ready to start'],
  running: ['underway', 'running'],
  done: ['live', 'done'],
  canceled: ['off', 'stopped'],
  failed: ['rejected', 'failed'],
};

/** Whether the service is at work on an import, so that it changes by itself. */
export const isMoving = ({ state }: Pick<Listed, 'state'>): boolean =>
  state === 'uploading' || state === 'checking' || state === 'running';

/** Whether what is said about the file still counts. */
export const isOpen = ({ state }: Pick<Listed, 'state'>): boolean => state === 'unread' || state === 'ready';

/** Name of an import, by the tool and the size of its file. */
export const nameOf = ({ profile, lines }: Pick<Listed, 'profile' | 'lines'>): string =>
  `${profile === null ? 'A file' : TOOLS[profile]}, ${counted(lines, 'line')}`;

const listed = (fields: readonly Field[]): string =>
  new Intl.ListFormat('en').format(fields.map((field) => FIELDS[field].toLowerCase()));

/** What is true of an import now, and what happens next. */
export function sayingOf({ state, missing, created, existing, skipped, faults }: FileImport): string {
  switch (state) {
    case 'uploading':
      return 'The file is arriving.';
    case 'unread':
      return `The file does not say what holds the ${listed(missing)}. Say it below. Nothing is made until you start the import.`;
    case 'checking':
      return 'Each line is checked. Nothing is made until you start the import.';
    case 'ready':
      if (created === 0)
        return faults === 0 && existing > 0
          ? 'Every license exists already.'
          : 'No line can become a license. Change below how the file is read.';
      return faults === 0
        ? 'Nothing is made until you start. Buyers keep the codes that they have, and no mail is sent.'
        : `${counted(faults, 'line')} cannot be imported. Change below how the file is read, or import the others.`;
    case 'running':
      return 'You can leave this page: the import goes on, and is found again under Imports.';
    case 'done':
      if (faults > 0)
        return 'The lines without a fault were imported. Correct the others in the file and send it again: nothing is imported twice.';
      return existing + skipped === 0 ? 'Every line was imported.' : 'Every line that is a new license was imported.';
    case 'canceled':
      return 'The import was stopped. The licenses that it made stay. Send the file again to go on.';
    case 'failed':
      return 'The import ended early. Send the file again to go on: licenses that exist are left unchanged.';
  }
}
