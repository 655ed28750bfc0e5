import { describe, expect, it } from 'vitest';
import { needsOf, type NeedFacts, type TargetFact } from './needs.js';

const NOW = new Date('2030-01-31T12:00:00Z');
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);
const target = (rest: Partial<TargetFact>): TargetFact => ({
  targetId: 'target',
  extensionId: 'extension',
  extensionName: 'Tab Counter',
  store: 'chrome',
  storeTitle: 'Chrome Web Store',
  dashboard: 'https://store.example/dashboard',
  phase: 'in_review',
  since: ago(2),
  message: 'The store said so.',
  version: '1.4.0',
  refusable: false,
  approval: null,
  isStalled: false,
  isReleasedByHand: false,
  isReleaseRequested: false,
  credentialId: 'key',
  isCredentialRefused: false,
  ...rest,
});
const NONE = { count: 0, since: null };
const NOTHING: NeedFacts = {
  rights: { publish: true, rotate: true },
  targets: [],
  credentials: [],
  approvals: [],
  sales: NONE,
  codes: NONE,
  notifications: NONE,
  trials: [],
  trialsPerExtension: 1000,
};
const approval = (isYours: boolean) => ({
  approvalId: 'approval',
  extensionId: 'extension',
  extensionName: 'Tab Counter',
  version: '1.4.0',
  store: null,
  requestedBy: 'ann@author.example',
  since: ago(1),
  isYours,
});
const credential = (label: string | null, hours: number) => ({
  credentialId: 'key',
  title: 'Edge Add-ons',
  label,
  expiresAt: ago(-hours),
  acceptsTests: false,
});

describe('what needs attention', () => {
  it.each<[string, Partial<NeedFacts>, readonly string[]]>([
    ['nothing', {}, []],
    ['a target in review', { targets: [target({})] }, []],
    ['a live target', { targets: [target({ phase: 'live' })] }, []],
    [
      'a rejection',
      { targets: [target({ phase: 'rejected' })] },
      ['you: Chrome Web Store rejected Tab Counter 1.4.0. See why, and push a mended version.'],
    ],
    [
      'an item that was taken down',
      { targets: [target({ phase: 'taken_down' })] },
      ['you: Chrome Web Store took Tab Counter down. Answer the store in its dashboard.'],
    ],
    [
      'a question of the store',
      { targets: [target({ phase: 'action_required', version: null })] },
      ['you: Chrome Web Store waits for you with Tab Counter. Do what the store asks for.'],
    ],
    [
      'a version that is held because of its findings',
      { targets: [target({ phase: 'action_required', refusable: true })] },
      [
        'you: Chrome Web Store would refuse Tab Counter 1.4.0. Push a mended package under the same number, or send it all the same.',
      ],
    ],
    [
      'a version that waits for an approval, beside that',
      { targets: [target({ phase: 'action_required', approval: 'waiting' })] },
      [],
    ],
    [
      'a version that the caller may approve',
      { approvals: [approval(true)] },
      ['you: ann@author.example wants to send Tab Counter 1.4.0. Approve or reject it.'],
    ],
    [
      'a version that another person may approve',
      { approvals: [approval(false)] },
      ['team: Tab Counter 1.4.0 waits for the approval of another person. Ask one who may publish.'],
    ],
    [
      'a version that another person rejected',
      { targets: [target({ phase: 'action_required', approval: 'rejected' })] },
      ['you: Tab Counter 1.4.0 was not approved for Chrome Web Store. See why, and push a mended package.'],
    ],
    [
      'a credential that the store refuses: once, however many use it',
      {
        targets: [
          target({ phase: 'action_required', isCredentialRefused: true }),
          target({ phase: 'action_required', isCredentialRefused: true, targetId: 'other' }),
        ],
      },
      ['you: Chrome Web Store refuses the credential of 2 extensions. Rotate the credential.'],
    ],
    [
      'trials of which half of a day’s number has begun',
      { trials: [{ extensionId: 'extension', extensionName: 'Tab Counter', begun: 500, refused: 0 }] },
      [
        'you: 500 of the 1000 trials of Tab Counter that a day has have begun. Ask for an address before a trial, or have TRIALS_PER_EXTENSION raised.',
      ],
    ],
    [
      'trials that were refused',
      { trials: [{ extensionId: 'extension', extensionName: 'Tab Counter', begun: 1000, refused: 2 }] },
      [
        'you: 1000 of the 1000 trials of Tab Counter that a day has have begun, and 2 were refused. Ask for an address before a trial, or have TRIALS_PER_EXTENSION raised.',
      ],
    ],
    [
      'a target that lacks settings',
      { targets: [target({ phase: 'incomplete' })] },
      ['you: Tab Counter is not connected to Chrome Web Store yet. Complete its settings.'],
    ],
    [
      'an approved version that waits to be released',
      { targets: [target({ phase: 'approved', isReleasedByHand: true })] },
      ['you: Chrome Web Store approved Tab Counter 1.4.0. Release it when you want it live.'],
    ],
    [
      'an approved version whose release was asked for',
      { targets: [target({ phase: 'approved', isReleasedByHand: true, isReleaseRequested: true })] },
      [],
    ],
    ['an approved version that is released by itself', { targets: [target({ phase: 'approved' })] }, []],
    [
      'no progress',
      { targets: [target({ phase: 'backing_off', isStalled: true })] },
      [
        'store: Tab Counter 1.4.0 makes no progress at Chrome Web Store. Pierhead keeps trying; check the store’s dashboard.',
      ],
    ],
    [
      'a credential that expires soon',
      { credentials: [credential('studio', 24)] },
      ['you: The credential “studio” for Edge Add-ons expires soon. Rotate the credential.'],
    ],
    [
      'a credential that has expired',
      { credentials: [credential(null, -1)] },
      ['you: The credential for Edge Add-ons has expired. Rotate the credential.'],
    ],
    [
      'a credential with an open test mode',
      { credentials: [{ ...credential(null, 1), title: 'Stripe', expiresAt: null, acceptsTests: true }] },
      [
        'you: The credential for Stripe accepts test-mode sales, so anyone with a test card can get a working license. Rotate it without the test mode once you sell.',
      ],
    ],
    [
      'a sale of something that no plan sells',
      { sales: { count: 1, since: ago(1) } },
      ['you: 1 sale has no license. Add the product to a plan, then replay the notifications.'],
    ],
    [
      'codes and notifications that did not arrive',
      { codes: { count: 3, since: ago(1) }, notifications: { count: 1, since: ago(1) } },
      [
        'you: 3 codes were not delivered to their buyers. Correct the address, and send the code again.',
        'you: 1 notification was given up. Correct the endpoint, and deliver them again.',
      ],
    ],
  ])('%s', (_, facts, lines) => {
    const needs = needsOf({ ...NOTHING, ...facts }, NOW);
    expect(needs.map(({ turn, what, remedy }) => `${turn}: ${what} ${remedy}`)).toEqual(lines);
  });

  it('comes most urgent first, and oldest first within a kind', () => {
    const facts = {
      ...NOTHING,
      credentials: [credential('late', 24), credential('soon', 1)],
      targets: [
        target({ phase: 'rejected', targetId: 'young', since: ago(1) }),
        target({ phase: 'rejected', targetId: 'old', since: ago(9) }),
        target({ phase: 'taken_down', targetId: 'down', since: ago(0) }),
      ],
    };
    expect(needsOf(facts, NOW).map(({ targetId, what }) => targetId ?? what)).toEqual([
      'down',
      'old',
      'young',
      'The credential “soon” for Edge Add-ons expires soon.',
      'The credential “late” for Edge Add-ons expires soon.',
    ]);
  });

  it('names the target, and carries the message and the dashboard of the store', () => {
    expect(needsOf({ ...NOTHING, targets: [target({ phase: 'rejected' })] }, NOW)[0]).toEqual({
      key: 'rejected:target:1.4.0',
      kind: 'rejected',
      turn: 'you',
      tone: 'rejected',
      what: expect.any(String),
      remedy: expect.any(String),
      message: 'The store said so.',
      at: ago(2),
      count: 1,
      extensionId: 'extension',
      targetId: 'target',
      credentialId: 'key',
      approvalId: null,
      store: 'chrome',
      version: '1.4.0',
      url: 'https://store.example/dashboard',
      action: 'See why',
      href: '/extensions/extension/versions/1.4.0#rejected',
    });
  });
});
