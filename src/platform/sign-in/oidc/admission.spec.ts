import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decideAdmission, type AdmissionFacts, type AdmissionRules } from './admission.js';

const EMAIL = 'ann@author.example';
const ANYBODY: AdmissionRules = { allowedDomains: undefined, signup: 'create' };
const INVITED: AdmissionRules = { allowedDomains: undefined, signup: 'invited' };
const UNKNOWN: AdmissionFacts = { linkedUserId: null, account: null, isInvited: false };
const ACCOUNT = { userId: 'u1', isEmailProven: true, hasSecondFactor: false, isLinked: false };
const refused = (because: string): object => ({ step: 'refuse', because });

describe('a person whom the provider vouches for', () => {
  it.each<[string, string | null, Partial<AdmissionFacts>, AdmissionRules, object]>([
    ['who is known logs in', EMAIL, { linkedUserId: 'u1' }, INVITED, { step: 'begin_session', userId: 'u1' }],
    ['who is known needs no address', null, { linkedUserId: 'u1' }, INVITED, { step: 'begin_session', userId: 'u1' }],
    [
      'who is known stays that user when the address is now that of another account',
      EMAIL,
      { linkedUserId: 'u1', account: { ...ACCOUNT, userId: 'u2' } },
      INVITED,
      { step: 'begin_session', userId: 'u1' },
    ],
    [
      'who is known and whose domain is no longer allowed is refused',
      EMAIL,
      { linkedUserId: 'u1' },
      { ...INVITED, allowedDomains: ['owl.example'] },
      refused('domain_not_allowed'),
    ],
    [
      'who is known and shows no address is refused where only some domains are allowed',
      null,
      { linkedUserId: 'u1' },
      { ...INVITED, allowedDomains: ['author.example'] },
      refused('email_not_verified'),
    ],
    ['who is new needs a verified address', null, {}, ANYBODY, refused('email_not_verified')],
    [
      'who is new is linked to the account with a proven address',
      EMAIL,
      { account: ACCOUNT },
      INVITED,
      { step: 'link', userId: 'u1' },
    ],
    [
      'is not linked to an account whose address nobody proved',
      EMAIL,
      { account: { ...ACCOUNT, isEmailProven: false } },
      ANYBODY,
      refused('account_not_linked'),
    ],
    [
      'is not linked to an account with a second factor',
      EMAIL,
      { account: { ...ACCOUNT, hasSecondFactor: true } },
      ANYBODY,
      refused('account_not_linked'),
    ],
    [
      'is not linked to an account of another person of the provider',
      EMAIL,
      { account: { ...ACCOUNT, isLinked: true } },
      ANYBODY,
      refused('account_not_linked'),
    ],
    ['with an invitation joins', EMAIL, { isInvited: true }, INVITED, { step: 'join', email: EMAIL }],
    [
      'with an invitation joins rather than has a tenant',
      EMAIL,
      { isInvited: true },
      ANYBODY,
      { step: 'join', email: EMAIL },
    ],
    ['without an invitation is refused', EMAIL, {}, INVITED, refused('not_invited')],
    ['gets a tenant where the operator allows it', EMAIL, {}, ANYBODY, { step: 'create_tenant', email: EMAIL }],
    ...['author.example.evil.example', 'evil-author.example', 'sub.author.example'].map(
      (domain): [string, string, object, AdmissionRules, object] => [
        `is refused with ${domain} where author.example is allowed`,
        `ann@${domain}`,
        { isInvited: true },
        { ...ANYBODY, allowedDomains: ['author.example'] },
        refused('domain_not_allowed'),
      ],
    ),
  ])('%s', (_, verifiedEmail, facts, rules, expected) => {
    expect(decideAdmission({ verifiedEmail }, { ...UNKNOWN, ...facts }, rules)).toEqual(expected);
  });

  it('becomes a user who is not linked yet only with a verified address, a proven one and no second factor', () => {
    const account = fc.record({
      userId: fc.constant('u1'),
      isEmailProven: fc.boolean(),
      hasSecondFactor: fc.boolean(),
      isLinked: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.option(fc.constantFrom(EMAIL, 'ann@owl.example')),
        fc.record({ linkedUserId: fc.option(fc.constant('u9')), account: fc.option(account), isInvited: fc.boolean() }),
        fc.record({
          allowedDomains: fc.option(fc.constant(['author.example']), { nil: undefined }),
          signup: fc.constantFrom('invited' as const, 'create' as const),
        }),
        (verifiedEmail, facts, rules) => {
          const admission = decideAdmission({ verifiedEmail }, facts, rules);
          if (admission.step === 'begin_session') expect(admission.userId).toBe(facts.linkedUserId);
          if (admission.step === 'link') expect([verifiedEmail !== null, facts.account]).toEqual([true, ACCOUNT]);
          if (admission.step === 'join' || admission.step === 'create_tenant') expect(facts.account).toBeNull();
          if (admission.step !== 'refuse' && rules.allowedDomains !== undefined) expect(verifiedEmail).toBe(EMAIL);
        },
      ),
    );
  });
});
