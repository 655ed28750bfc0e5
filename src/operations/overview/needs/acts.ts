import { CONSOLE } from '../../../common/http/pure.js';
import type { Need, NeedKind } from './need.js';

/** What answers a need. */
export interface Act {
  /** The word for it, as a button has it. */
  readonly action: string;
  /** Where it is done: a path of the console that opens it, or an address at the store. */
  readonly href: string;
}

/** What the caller may do. */
export interface Rights {
  /** Change extensions and their targets. */
  readonly publish: boolean;
  /** Change credentials. */
  readonly rotate: boolean;
}

type About = Pick<
  Need,
  'kind' | 'turn' | 'extensionId' | 'targetId' | 'credentialId' | 'approvalId' | 'version' | 'url'
>;
type Rule = (need: About, rights: Rights) => Act | null;

const atStore: Rule = ({ url }) => (url === null ? null : { action: 'Open the dashboard', href: url });

/** @param part of the version's page that says why */
const onVersion =
  (part: 'rejected' | 'findings'): Rule =>
  (need, rights) =>
    need.version === null
      ? atStore(need, rights)
      : {
          action: 'See why',
          href: CONSOLE.version(need.extensionId ?? '', need.version, part),
        };

/** @param place where publishers do it; others only see the target */
const onTarget =
  (action: string, place: (extensionId: string, id: string) => string): Rule =>
  ({ extensionId, targetId }, { publish }) => {
    const at = publish ? place : CONSOLE.target;
    return { action: publish ? action : 'Look', href: at(extensionId ?? '', targetId ?? '') };
  };

const onPage =
  (href: string): Rule =>
  () => ({ action: 'Look', href });

const rotated: Rule = ({ credentialId }, { rotate }) =>
  rotate ? { action: 'Rotate', href: CONSOLE.rotation(credentialId ?? '') } : null;

const ACTS: Readonly<Record<NeedKind, Rule>> = {
  taken_down: atStore,
  rejected: onVersion('rejected'),
  credential_rejected: rotated,
  credential_expired: rotated,
  approval_waiting: ({ approvalId, turn }) => ({
    action: turn === 'you' ? 'Decide' : 'Look',
    href: CONSOLE.approval(approvalId ?? ''),
  }),
  approval_rejected: onVersion('findings'),
  held: onVersion('findings'),
  action_required: atStore,
  release_waiting: onTarget('Release', CONSOLE.release),
  incomplete: onTarget('Complete', CONSOLE.target),
  stalled: atStore,
  credential_expiring: rotated,
  sales_unmapped: onPage(CONSOLE.unmappedSales),
  codes_undelivered: onPage(CONSOLE.licenses),
  notifications_undelivered: onPage(CONSOLE.notifications),
  trials_filling: ({ extensionId }) => ({ action: 'Look', href: CONSOLE.extension(extensionId ?? '') }),
  test_mode_open: rotated,
};

/** Returns what answers a need; null where the caller may not do it. Pure. */
export const actOn = (need: About, rights: Rights): Act | null => ACTS[need.kind](need, rights);
