import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { known, SUBMISSION_STATES, UNKNOWN } from '../store.js';
import {
  channelOf,
  fileStateOf,
  addonVersionFrom,
  listingStateOf,
  observedFrom,
  uploadStateOf,
  validationErrors,
  type Channel,
} from './firefox.states.js';

describe('enum values', () => {
  it.each([
    ['public', 'public'],
    ['nominated', 'hidden'],
    ['incomplete', 'hidden'],
    ['rejected', 'hidden'],
    ['deleted', 'hidden'],
    ['disabled', 'taken_down'],
    ['blocked', 'unknown'],
    ['constructor', 'unknown'],
    [undefined, 'unknown'],
    [null, 'unknown'],
  ])('Addon.status %s is %s', (status, ours) => {
    expect(listingStateOf(status)).toBe(ours);
  });

  it.each([
    ['public', 'signed'],
    ['unreviewed', 'in_review'],
    ['disabled', 'disabled'],
    ['being-pondered', 'unknown'],
    ['toString', 'unknown'],
    [undefined, 'unknown'],
    [4, 'unknown'],
  ])('file.status %s is %s', (status, ours) => {
    expect(fileStateOf(status)).toBe(ours);
  });

  it.each([
    [null, known('none')],
    [{ processed: false, valid: false }, known('processing')],
    [{ processed: true, valid: true }, known('ready')],
    [{ processed: true, valid: false }, known('failed')],
    [{ processed: true }, UNKNOWN],
    [{ processed: 'yes', valid: true }, UNKNOWN],
    [{}, UNKNOWN],
    [7, UNKNOWN],
  ])('upload %j is %j', (upload, ours) => {
    expect(uploadStateOf(upload)).toEqual(ours);
  });

  it.each([
    ['unlisted', 'unlisted'],
    ['listed', 'listed'],
    [null, 'listed'],
    ['beta', 'listed'],
  ])('channel %s is %s', (setting, ours) => {
    expect(channelOf(setting)).toBe(ours);
  });
});

let id = 0;
const held = (
  version: unknown,
  status: unknown,
  channel: unknown = 'listed',
  is_disabled: unknown = false,
): object => ({
  id: ++id,
  version,
  channel,
  is_disabled,
  file: { status, url: `https://amo.example/${String(version)}` },
});
const item = (status: unknown, current: unknown = null, more: object = {}): object => ({
  guid: 'a@b',
  status,
  is_disabled: false,
  current_version: current === null ? null : { version: current },
  ...more,
});
const inReview = (version: string): object => known({ version, state: 'in_review' });
const seen = (addon: object, results: unknown, channel: Channel, next: unknown = null): object => {
  const { live, submission, takenDown } = observedFrom({ addon, versions: { results, next }, upload: null }, channel);
  return { live, submission, takenDown };
};

describe('the state of the listed channel', () => {
  it.each<[string, object, unknown, unknown, unknown]>([
    ['a new add-on', item('incomplete'), [], known(null), known(null)],
    ['its first version', item('nominated'), [held('1.0', 'unreviewed')], known(null), inReview('1.0')],
    [
      'one that was refused',
      item('incomplete'),
      [held('1.0', 'disabled')],
      known(null),
      known({ version: '1.0', state: 'rejected' }),
    ],
    ['a live one', item('public', '1.0'), [held('1.0', 'public')], known('1.0'), known(null)],
    [
      'an update in review',
      item('public', '1.0'),
      [held('1.1', 'unreviewed'), held('1.0', 'public')],
      known('1.0'),
      inReview('1.1'),
    ],
    [
      'the newest of several, the others being superseded',
      item('public', '1.0'),
      [held('1.10', 'unreviewed'), held('1.9', 'disabled'), held('1.0', 'public')],
      known('1.0'),
      inReview('1.10'),
    ],
    [
      'a rejected update',
      item('public', '1.0'),
      [held('1.1', 'disabled'), held('1.0', 'public')],
      known('1.0'),
      known({ version: '1.1', state: 'rejected' }),
    ],
    [
      'one that its developer took back',
      item('public', '1.0'),
      [held('1.1', 'disabled', 'listed', true)],
      known('1.0'),
      known({ version: '1.1', state: 'cancelled' }),
    ],
    [
      'one that is approved, before the listing has it',
      item('public', '1.0'),
      [held('1.1', 'public')],
      known('1.0'),
      known({ version: '1.1', state: 'releasing' }),
    ],
    ['what is older than what is live', item('public', '2.0'), [held('1.1', 'disabled')], known('2.0'), known(null)],
    [
      'a state that no document names',
      item('public', '1.0'),
      [held('1.1', 'odd')],
      known('1.0'),
      known({ version: '1.1', state: 'unknown' }),
    ],
    ['a status that no document names', item('odd', '1.0'), [held('1.1', 'unreviewed')], UNKNOWN, inReview('1.1')],
    ['a current version of odd shape', item('public', 7), [], UNKNOWN, known(null)],
    [
      'one hidden by its developer',
      item('public', '1.0', { is_disabled: true }),
      [held('1.0', 'public')],
      known(null),
      known(null),
    ],
    [
      'only the other channel',
      item('public', '1.0'),
      [held('3.0', 'unreviewed', 'unlisted')],
      known('1.0'),
      known(null),
    ],
    [
      'versions of no channel',
      item('public', '1.0'),
      [held('3.0', 'unreviewed', 7), null, 3],
      known('1.0'),
      known(null),
    ],
  ])('%s', (_, addon, results, live, submission) => {
    expect(seen(addon, results, 'listed')).toEqual({ live, submission, takenDown: false });
  });

  it('a taken down add-on', () => {
    const { live, takenDown } = observedFrom(
      { addon: item('disabled', '1.0'), versions: { results: [held('1.0', 'public')] }, upload: null },
      'listed',
    );
    expect({ live, takenDown }).toEqual({ live: known(null), takenDown: true });
  });

  it('nothing about versions on later pages', () => {
    const page = [held('1.0', 'public', 'unlisted')];
    expect(seen(item('public', '2.0'), page, 'listed', 'https://amo.example/?page=2')).toMatchObject({
      live: known('2.0'),
      submission: UNKNOWN,
    });
    expect(
      seen(item('public', '2.0'), [held('2.0', 'public')], 'unlisted', 'https://amo.example/?page=2'),
    ).toMatchObject({
      live: UNKNOWN,
      submission: UNKNOWN,
    });
  });
});

describe('the state of the unlisted channel', () => {
  it.each<[string, object, unknown[], unknown, unknown]>([
    ['nothing', item('incomplete'), [], known(null), known(null)],
    ['one being signed', item('incomplete'), [held('1.0', 'unreviewed', 'unlisted')], known(null), inReview('1.0')],
    ['one that is signed', item('incomplete'), [held('1.0', 'public', 'unlisted')], known('1.0'), known(null)],
    [
      'the highest signed one',
      item('incomplete'),
      [held('1.2', 'public', 'unlisted'), held('1.10', 'public', 'unlisted')],
      known('1.10'),
      known(null),
    ],
    [
      'one that was refused',
      item('public', '9.0'),
      [held('1.1', 'disabled', 'unlisted'), held('1.0', 'public', 'unlisted')],
      known('1.0'),
      known({ version: '1.1', state: 'rejected' }),
    ],
    [
      'a status that matters only to the listing',
      item('odd'),
      [held('1.0', 'public', 'unlisted')],
      known('1.0'),
      known(null),
    ],
  ])('%s', (_, addon, results, live, submission) => {
    expect(seen(addon, results, 'unlisted')).toEqual({ live, submission, takenDown: false });
  });
});

describe('reading', () => {
  it('accepts any JSON and returns only documented values', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.jsonValue(),
        fc.constantFrom('listed', 'unlisted'),
        (a, v, u, channel) => {
          const { live, submission } = observedFrom(
            { addon: a, versions: { results: v, next: u }, upload: u },
            channel,
          );
          if (live.known) expect(live.value === null || typeof live.value === 'string').toBe(true);
          if (submission.known && submission.value) expect(SUBMISSION_STATES).toContain(submission.value.state);
          addonVersionFrom(a);
          validationErrors(u);
        },
      ),
    );
  });

  it('lists each error of a validation once, with its file', () => {
    const messages = [
      { type: 'error', message: 'Bad.', file: 'a.js' },
      { type: 'error', message: 'Bad.', file: 'a.js' },
      { type: 'warning', message: 'Hm.' },
      { type: 'error', message: 'Worse.', file: '' },
      null,
    ];
    expect(validationErrors({ validation: { messages } })).toBe('Bad. in a.js; Worse.');
    expect(validationErrors({ validation: null })).toBe('');
  });
});
