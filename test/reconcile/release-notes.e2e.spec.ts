import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { SandboxControl } from '../../sandbox/sandbox-control.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { addonAccount, AddonAuthor } from './addon-author.js';

const ENGLISH = 'Counts tabs per window.';
const GERMAN = 'Zählt Tabs je Fenster.';

describe('release notes by locale', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const pushForm = (
    tenant: Tenant,
    query: Readonly<Record<string, string>>,
    texts: Readonly<Record<string, unknown>>,
    zip?: Uint8Array<ArrayBuffer>,
  ): Promise<Answer> => {
    const form = new FormData();
    for (const [name, text] of Object.entries(texts))
      form.set(name, typeof text === 'string' ? text : JSON.stringify(text));
    if (zip !== undefined) form.set('file', new Blob([zip]), 'extension.zip');
    return world.api.as(tenant).post(`/artifacts?${new URLSearchParams(query).toString()}`, undefined, { raw: form });
  };

  describe('at Firefox Add-ons', () => {
    const author = async (): Promise<AddonAuthor> =>
      AddonAuthor.in(world, await addonAccount(world, await world.given.tenant()), { live: '1.0.0' });
    const push = async (mine: AddonAuthor, version: string, texts: object, more: object = {}): Promise<Answer> =>
      pushForm(
        mine.account.tenant,
        { extension: mine.extensionId, version, ...more },
        { ...texts },
        new Uint8Array(await packageOf(version, { browser_specific_settings: { gecko: { id: mine.guid } } })),
      );
    const shown = async (mine: AddonAuthor) => (await mine.control.addonState(mine.guid)).versions.at(-1)?.releaseNotes;
    const publish = async (mine: AddonAuthor): Promise<void> => {
      for (let round = 0; round < 8; round += 1) {
        if ((await mine.reconcile()).phase === 'in_review') return;
        await world.forward(MINUTE);
      }
      throw new Error('It never got into the review');
    };

    it('are kept with the version, and sent in the locales of the store', async () => {
      const mine = await author();
      const localizedNotes = { 'de-DE': ` ${GERMAN} `, 'zh-Hant': '數分頁', eo: 'Kalkulas' };
      const { body } = expectStatus(await push(mine, '1.1.0', { notes: ENGLISH, localizedNotes }), 201);
      expect(body.artifact).toMatchObject({ notes: ENGLISH, localizedNotes: { ...localizedNotes, 'de-DE': GERMAN } });
      expect(body.warning).toContain('Firefox Add-ons has no listings in eo, and gets no release notes for it.');
      await publish(mine);
      expect(await shown(mine)).toEqual({ 'en-US': ENGLISH, de: GERMAN, 'zh-TW': '數分頁' });
      const { items } = (await world.api.as(mine.account.tenant).get(`/extensions/${mine.extensionId}/events`)).body;
      expect(items.map(({ message }: { message: string }) => message).join(' ')).toContain(
        'The release notes for eo were left out',
      );
    });

    it.each([
      ['createVersion', 'drop-after'],
      ['createVersion', 'drop-before'],
    ] as const)('arrive once when the answer to %s is lost (%s)', async (operation, kind) => {
      const mine = await author();
      expectStatus(await push(mine, '1.1.0', { localizedNotes: { en: ENGLISH, de: GERMAN } }), 201);
      await mine.fault(operation, { kind });
      await publish(mine);
      expect(await shown(mine)).toEqual({ 'en-US': ENGLISH, de: GERMAN });
      expect((await mine.control.addonState(mine.guid)).counters).toMatchObject({ uploads: 1, versions: 1 });
    });

    it.each(['drop-after', 'drop-before'] as const)(
      'arrive beside sources, also when an answer is lost: %s',
      async (kind) => {
        const mine = await author();
        const { artifact } = expectStatus(
          await push(mine, '1.1.0', { localizedNotes: { en: ENGLISH, de: GERMAN } }, { source: 'follows' }),
          201,
        ).body;
        const raw = new Uint8Array(await packageOf('1.1.0'));
        const headers = { 'content-type': 'application/zip' };
        const api = world.api.as(mine.account.tenant);
        expectStatus(await api.post(`/artifacts/${artifact.id}/source`, undefined, { raw, headers }), 200);
        await mine.fault('createVersion', { kind });
        await publish(mine);
        expect(await shown(mine)).toEqual({ 'en-US': ENGLISH, de: GERMAN });
        expect((await mine.control.addonState(mine.guid)).versions.at(-1)?.source).not.toBeNull();
      },
    );

    it('are refused by name when they are longer than the store takes, and change nothing', async () => {
      const mine = await author();
      const localizedNotes = { en: ENGLISH, de: 'x'.repeat(3001) };
      const refused = await push(mine, '1.1.0', { localizedNotes });
      expect(refused).toMatchObject({ status: 422, body: { code: 'notes_too_long', limit: 3000 } });
      expect(refused.body.detail).toBe(
        'Firefox Add-ons takes release notes of up to 3000 characters in one language, and de has 3001. Shorten them, or push with the parameter store for the other stores.',
      );
      const api = world.api.as(mine.account.tenant);
      expect((await api.get(`/artifacts?extension=${mine.extensionId}`)).body.artifacts).toEqual([]);
      const manifest = { manifest_version: 3, name: 'Night Owl', version: '1.1.0' };
      const check = { manifest, size: 1000, sha256: 'a'.repeat(64), localizedNotes };
      expect(await api.post(`/artifacts/check?extension=${mine.extensionId}`, check)).toMatchObject({
        status: 422,
        body: { code: 'notes_too_long' },
      });
    });

    it('keep to one text as before, of which the store gets what it takes', async () => {
      const mine = await author();
      const pushed = expectStatus(await mine.push('1.1.0', { notes: 'x'.repeat(3500) }), 201).body;
      expect(pushed.warning).toContain('Firefox Add-ons gets only the first 3000 characters of the release notes.');
      await publish(mine);
      expect(Object.keys((await shown(mine)) ?? {})).toEqual(['en-US']);
    });

    it('come with their warnings also when the content was pushed before', async () => {
      const mine = await author();
      await mine.push('1.1.0', { notes: ENGLISH });
      const again = (await mine.push('1.1.0', { notes: 'x'.repeat(3500) }, 200)).body;
      expect(again).toMatchObject({ deduplicated: true, warning: expect.stringContaining('only the first 3000') });
    });

    it('are counted in characters, as the store counts them, and arrive whole', async () => {
      const mine = await author();
      const localizedNotes = { 'en-US': '😀'.repeat(3000) };
      expectStatus(await push(mine, '1.1.0', { localizedNotes }), 201);
      await publish(mine);
      expect(await shown(mine)).toEqual(localizedNotes);
    });

    it('are replaced as a whole by another push, and kept by one without any', async () => {
      const mine = await author();
      const notesAfter = async (texts: object) => {
        const { artifact } = (await push(mine, '1.1.0', texts)).body;
        return [artifact.notes, artifact.localizedNotes];
      };
      expect(await notesAfter({ notes: ENGLISH, localizedNotes: { de: GERMAN } })).toEqual([ENGLISH, { de: GERMAN }]);
      expect(await notesAfter({})).toEqual([ENGLISH, { de: GERMAN }]);
      expect(await notesAfter({ localizedNotes: { fr: 'Compte.' } })).toEqual([null, { fr: 'Compte.' }]);
      expect(await notesAfter({ notes: ENGLISH })).toEqual([ENGLISH, null]);
    });

    it.each([
      ['localizedNotes', 'German', 'must be a JSON object.'],
      ['localizedNotes', [], 'must be an object.'],
      ['localizedNotes', { German: 'x' }, 'must name locales such as de or pt-BR, which "German" is not.'],
      ['localizedNotes', { de: ' ' }, 'must have text of 1 to 4000 characters for de.'],
      ['localizedNotes', { de: 7 }, 'must have text of 1 to 4000 characters for de.'],
      ['localizedNotes', { de: '😀'.repeat(4001) }, 'must have text of 1 to 4000 characters for de.'],
      ['localizedNotes', { 'de-AT': 'Ja.', 'de-at': 'Nein.' }, 'must have one text for de-at.'],
      ['justifications', '{', 'must be a JSON object.'],
      ['justifications.permissions', { permissions: { tabs: '' } }, 'must have text of 1 to 1000 characters for tabs.'],
      ['justifications.shoes', { shoes: 'x' }, 'This field is unknown.'],
    ])('are refused when they are no such texts: %s %j', async (field, value, message) => {
      const mine = await author();
      const [name = ''] = field.split('.');
      expect(await push(mine, '1.1.0', { [name]: value })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field, message: expect.stringContaining(message) }] },
      });
    });

    it('go to another store with the version, as its justifications do', async () => {
      const mine = await author();
      const justifications = { singlePurpose: 'Counts.', permissions: { storage: 'To remember.' } };
      const { artifact } = (await push(mine, '1.1.0', { localizedNotes: { de: GERMAN }, justifications })).body;
      const api = world.api.as(mine.account.tenant);
      const pinned = expectStatus(await api.post(`/artifacts/${artifact.id}/pin`, { store: 'chrome' }), 201).body;
      expect(pinned.artifact).toMatchObject({ store: 'chrome', localizedNotes: { de: GERMAN }, justifications });
    });
  });

  describe('at the App Store', () => {
    const begin = async (locales: readonly string[]) => {
      const tenant = await world.given.tenant();
      const control = new SafariControl(world.sandbox.url);
      const { teamId, ...credentials } = await control.key();
      const live = { version: '1.0', state: 'READY_FOR_DISTRIBUTION' };
      const { appId } = await control.app({ issuerId: teamId, locales, versions: [live] });
      const api = world.api.as(tenant);
      const saved = expectStatus(await api.post('/credentials', { store: 'safari', credentials }), 201);
      const extension = await world.given.extension(tenant);
      const targetId = await world.given.targetOf(tenant, extension, 'safari');
      const settings = { storeItemId: appId, credentialId: saved.body.id, enabled: true, encryption: 'exempt' };
      expectStatus(await api.patch(`/extensions/${extension}/targets/${targetId}`, settings), 200);
      await control.deliver(appId, { version: '1.1' });
      return {
        push: (texts: object) => pushForm(tenant, { extension, version: '1.1', store: 'safari' }, { ...texts }),
        publish: async (): Promise<string> => {
          for (let round = 0; round < 8; round += 1) {
            const { phase, steps } = expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200).body
              .targets[0];
            if (phase === 'in_review') return JSON.stringify(steps);
            await world.forward(5 * MINUTE + SECOND);
          }
          throw new Error('It never got into the review');
        },
        events: async (): Promise<string> =>
          (await api.get(`/extensions/${extension}/events`)).body.items
            .map(({ message }: { message: string }) => message)
            .join(' '),
        state: () => control.state(appId),
        texts: async () =>
          Object.fromEntries(
            (await control.state(appId)).versions
              .find(({ versionString }) => versionString === '1.1')
              ?.localizations.map(({ locale, whatsNew }) => [locale, whatsNew]) ?? [],
          ),
        fault: (operation: string, kind: 'drop-after' | 'drop-before') =>
          new SandboxControl(world.sandbox.url).fault({ itemId: appId, match: { operation }, kind }),
      };
    };

    it('fill the languages of the listing, and the others are said', async () => {
      const app = await begin(['en-US', 'de-DE', 'fr-FR']);
      const pushed = expectStatus(
        await app.push({ localizedNotes: { en: ENGLISH, de: GERMAN, fi: 'Laskee', eo: 'x' } }),
        201,
      );
      expect(pushed.body.warning).toBe('App Store has no listings in eo, and gets no release notes for it.');
      await app.publish();
      expect(await app.texts()).toEqual({ 'en-US': ENGLISH, 'de-DE': GERMAN, 'fr-FR': ENGLISH });
      expect(await app.events()).toContain(
        'The release notes for eo, fi were left out: the listing has no such language',
      );
    });

    it.each(
      ['localizations', 'app', 'updateWhatsNew', 'createVersion', 'submit'].flatMap((operation) =>
        (['drop-after', 'drop-before'] as const).map((kind) => [operation, kind] as const),
      ),
    )('are neither lost nor doubled when an answer to %s is lost (%s)', async (operation, kind) => {
      const app = await begin(['en-US', 'de-DE', 'fr-FR']);
      expectStatus(await app.push({ localizedNotes: { 'en-US': ENGLISH, 'de-DE': GERMAN } }), 201);
      await app.fault(operation, kind);
      await app.publish();
      expect(await app.texts()).toEqual({ 'en-US': ENGLISH, 'de-DE': GERMAN, 'fr-FR': ENGLISH });
      const { versions, counters } = await app.state();
      expect(versions.map(({ localizations }) => localizations.length)).toEqual([3, 3]);
      expect(counters).toMatchObject({ versionsCreated: 1, submissions: 1 });
    });

    it('take 4000 characters, and the one text for all where a language has none', async () => {
      const app = await begin(['en-US', 'de-DE']);
      expectStatus(await app.push({ notes: ENGLISH, localizedNotes: { de: 'x'.repeat(4000) } }), 201);
      await app.publish();
      expect(await app.texts()).toEqual({ 'en-US': ENGLISH, 'de-DE': 'x'.repeat(4000) });
    });
  });
});
