import type { LicenseEventKind, LicenseEventReason } from '../../licensing/pure.js';

type ByReason = Partial<Readonly<Record<LicenseEventReason, string>>>;

/** What follows the name of the license or the trial, by the reason where there are several. */
const WORDS: Readonly<Record<LicenseEventKind, string | ByReason>> = {
  'license.issued': {
    tenant: 'was issued by hand.',
    import: 'was imported.',
    payment: 'was issued for a purchase.',
  },
  'license.activated': 'was activated on another device.',
  'license.seat_refused': 'has no seat left for another device, which was refused.',
  'license.seat_freed': {
    device: 'has a seat again: the device gave it back.',
    tenant: 'has a seat again: your team released a device.',
    buyer: 'has a seat again: the buyer released a device.',
    idle: 'has a seat again: an idle device lost it to another.',
    erasure: 'was deleted with a device that held a seat.',
  },
  'license.suspended': {
    tenant: 'was suspended by your team.',
    dispute: 'was suspended because of a dispute.',
    payment: 'was suspended because a payment failed.',
  },
  'license.reinstated': { tenant: 'was reinstated by your team.', payment: 'was reinstated by its payments.' },
  'license.revoked': {
    tenant: 'was revoked by your team.',
    refund: 'was revoked because of a refund.',
    dispute: 'was revoked because of a lost dispute.',
  },
  'license.expiring': 'expires within seven days.',
  'license.expired': 'has expired.',
  'license.renewed': { tenant: 'was extended by your team.', payment: 'was renewed by a payment.' },
  'license.trial_started': 'has begun on a device.',
  'license.trial_ended': {
    time: 'has expired.',
    converted: 'became a license: a code was activated on its device.',
    tenant: 'was ended by your team.',
    erasure: 'was deleted while it ran.',
  },
  'license.code_resent': 'has a new code, which was mailed to the buyer.',
};

/** What happened to a license, for people, without its name. Pure. */
export function wordsOf(kind: LicenseEventKind, reason: LicenseEventReason | null): string {
  const words = WORDS[kind];
  return typeof words === 'string' ? words : ((reason === null ? undefined : words[reason]) ?? 'has changed.');
}
