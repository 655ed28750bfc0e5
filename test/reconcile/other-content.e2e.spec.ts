import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { startWorld, type World, Transactions } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Pusher, sha256Of, type ArtifactJson } from '../artifacts/pusher.js';
import { Author, refusedUpload } from './author.js';
import { CallGate } from './call-gate.js';

const CONFLICT = { status: 409, body: { code: 'version_conflict' } };

describe('other content for a version', () => {
  let gate: CallGate;
  let world: World;
  let firefox: FirefoxControl;
  beforeAll(async () => {
    gate = await CallGate.start();
    world = await startWorld({ env: gate.env });
    gate.leadTo(world.sandbox.url);
    firefox = new FirefoxControl(world.sandbox.url);
  });
  afterAll(async () => {
    await world.close();
    await gate.close();
  });

  /** An author with an add-on, whose uploads are validated for a while. */
  const onFirefox = async () => {
    const credentials = await firefox.firefoxAccount({ name: 'Owl' });
    await firefox.firefoxUser(credentials.issuer, { validationPolls: 2 });
    const { guid } = await firefox.addon({ issuer: credentials.issuer });
    const owner = await world.given.tenant();
    const pusher = await Pusher.in(world, owner);
    const api = world.api.as(owner);
    const made = expectStatus(await api.post('/credentials', { store: 'firefox', credentials }), 201);
    const targetId = await world.given.targetOf(owner, pusher.extension, 'firefox');
    const at = `/extensions/${pusher.extension}/targets/${targetId}`;
    const settings = { storeItemId: guid, credentialId: made.body.id, enabled: true };
    expectStatus(await api.patch(at, settings), 200);
    const packed = (version: string, name = 'Night Owl') =>
      packageOf(version, { name, browser_specific_settings: { gecko: { id: guid } } });
    const push = async (version: string, name?: string, also = {}) =>
      pusher.push(version, await packed(version, name), also);
    const reconciled = async () => {
      await world.forward(10 * SECOND);
      await pusher.reconcile();
      return (await api.get(at)).body.status;
    };
    const held = async () => (await firefox.addonState(guid)).versions.map(({ file }) => file?.sha256);
    const set = async (change: object) => void expectStatus(await api.patch(at, change), 200);
    return { pusher, packed, push, reconciled, held, set };
  };

  const onChrome = async (wish: object = {}) => {
    const author = await Author.in(world, wish);
    return { author, pusher: new Pusher(world, author.mine) };
  };

  it('is refused for a store that is validating what was pushed for all', async () => {
    const { push, reconciled } = await onFirefox();
    expectStatus(await push('1.0.0'), 201);
    expect(await reconciled()).toMatchObject({ phase: 'validating' });
    expect(await push('1.0.0', 'Another', { store: 'firefox' })).toMatchObject(CONFLICT);
    expect(await push('1.0.0', 'Another')).toMatchObject(CONFLICT);
    expectStatus(await push('1.0.0', 'Another', { store: 'chrome' }), 201);
  });

  it('is refused even after the same content was pushed again for that store', async () => {
    const { pusher, packed, push, reconciled } = await onFirefox();
    const zip = await packed('1.0.0');
    expectStatus(await pusher.push('1.0.0', zip), 201);
    expect(await reconciled()).toMatchObject({ phase: 'validating' });
    expectStatus(await pusher.push('1.0.0', zip, { store: 'firefox' }), 201);
    expect(await push('1.0.0', 'Another', { store: 'firefox' })).toMatchObject(CONFLICT);
    await reconciled();
    expect(await reconciled()).toMatchObject({ phase: 'in_review', submittedVersion: '1.0.0' });
  });

  it.each(['before', 'after'] as const)(
    'is refused for a store while the upload is out, %s it arrived',
    async (side) => {
      const { author, pusher } = await onChrome();
      const sent = await pusher.pushed('1.0.0');
      const upload = gate.hold(`${author.mine.itemId}:upload`, side);
      const reconciling = author.reconcile();
      await upload.reached;
      const zip = await packageOf('1.0.0', { name: 'Another' });
      const answers = [await pusher.push('1.0.0', zip, { store: 'chrome' }), await pusher.push('1.0.0', zip)];
      upload.open();
      await reconciling;
      expect(answers).toMatchObject([CONFLICT, CONFLICT]);
      expect(await author.item()).toMatchObject({ submitted: { package: { sha256: sent.sha256 } } });
    },
  );

  it('is refused for a store to which the first content may have been submitted', async () => {
    const { author, pusher } = await onChrome();
    await pusher.pushed('1.0.0');
    await author.fault('publish', { kind: 'status', status: 500 });
    await author.reconcile();
    const zip = await packageOf('1.0.0', { name: 'Another' });
    expect(await pusher.push('1.0.0', zip, { store: 'chrome' })).toMatchObject(CONFLICT);
  });

  it('replaces the first content where the store has none yet', async () => {
    const { push, reconciled, held } = await onFirefox();
    expectStatus(await push('1.0.0'), 201);
    const other: ArtifactJson = expectStatus(await push('1.0.0', 'Another', { store: 'firefox' }), 201).body.artifact;
    for (let look = 1; look <= 4; look += 1) await reconciled();
    expect(await held()).toEqual([other.sha256]);
  });

  it('comes too late as sources too, and a warning says so', async () => {
    const { pusher, packed, push, reconciled } = await onFirefox();
    const { id } = expectStatus(await push('1.0.0'), 201).body.artifact;
    const headers = { 'content-type': 'application/zip' };
    const attach = async (sources: string) =>
      expectStatus(
        await world.api.as(pusher.mine).post(`/artifacts/${id}/source`, undefined, {
          raw: new Uint8Array(await packed('1.0.0', sources)),
          headers,
        }),
        200,
      ).body.warning;
    const told = async () =>
      (await world.api.as(pusher.mine).get(`/extensions/${pusher.extension}/events`)).body.items[0].message;
    expect(await attach('Sources')).toBeUndefined();
    expect(await told()).toBe('Sources were attached to version 1.0.0.');
    expect(await reconciled()).toMatchObject({ phase: 'validating' });
    expect(await attach('Sources')).toBeUndefined();
    const maybe =
      'Firefox Add-ons already has the package; the sources reach it only if version 1.0.0 has not been submitted there yet.';
    expect(await attach('Others')).toBe(maybe);
    await reconciled();
    expect(await reconciled()).toMatchObject({ phase: 'in_review' });
    const late =
      'Firefox Add-ons already has version 1.0.0, so the sources are not sent there; push a newer version with its sources.';
    expect(await attach('Sources')).toBe(late);
    expect(await told()).toBe(`Sources were attached to version 1.0.0. ${late}`);
  });

  describe('that was pinned before pushes refused it', () => {
    /** The pin of other content for a store that was given the first. */
    const diverted = async (extension: string, pin: () => Promise<unknown>) => {
      const tx = world.app.get(Transactions);
      const uploadedTo = (stores: string) =>
        tx.query("update artifact set uploaded_to = $2 where extension_id = $1 and scope = 'any'", [extension, stores]);
      await uploadedTo('{}');
      await pin();
      await uploadedTo('{firefox}');
    };

    it('replaces an upload that was not submitted yet', async () => {
      const { push, pusher, reconciled, held } = await onFirefox();
      expectStatus(await push('1.0.0'), 201);
      expect(await reconciled()).toMatchObject({ phase: 'validating' });
      await diverted(pusher.extension, async () => push('1.0.0', 'Another', { store: 'firefox' }));
      for (let look = 1; look <= 4; look += 1) await reconciled();
      const [other] = await pusher.list();
      expect(other).toMatchObject({ store: 'firefox', manifest: { name: 'Another' } });
      expect(await held()).toEqual([other?.sha256]);
    });

    it('is not called in review when the other content is', async () => {
      const { push, pusher, reconciled, held } = await onFirefox();
      const sent: ArtifactJson = expectStatus(await push('1.0.0'), 201).body.artifact;
      for (let look = 1; look <= 3; look += 1) await reconciled();
      // Nobody had looked when it was pushed.
      await world.app
        .get(Transactions)
        .query(
          'update target_status set submitted_version = null from target where id = target_id and extension_id = $1',
          [pusher.extension],
        );
      await diverted(pusher.extension, async () => push('1.0.0', 'Another', { store: 'firefox' }));
      expect(await reconciled()).toMatchObject({
        phase: 'action_required',
        message:
          'The store already has other content for version 1.0.0 than the package that is pinned now. Push it as a newer version.',
      });
      expect(await held()).toEqual([sent.sha256]);
    });
  });

  describe('after the store refused the first content', () => {
    const INVALID_PACKAGE = refusedUpload('key field is not allowed in manifest.');

    it('keeps its number at the Chrome Web Store, and says why it was refused until it is mended', async () => {
      const { author, pusher } = await onChrome();
      await pusher.pushed('1.0.0');
      await author.fault('upload', INVALID_PACKAGE);
      await author.reconcile();
      const refused = await author.status();
      expect(refused).toMatchObject({
        phase: 'rejected',
        message: expect.stringContaining('key field is not allowed'),
      });
      expect(refused.message).toContain('its number is still free');
      for (let look = 1; look <= 2; look += 1) {
        await world.forward(10 * SECOND);
        await author.reconcile();
        expect(await author.status()).toMatchObject({ phase: 'rejected', message: refused.message });
      }
      const mended = await packageOf('1.0.0', { name: 'Mended' });
      const { artifact } = expectStatus(await pusher.push('1.0.0', mended), 201).body;
      await author.reconcile();
      expect(await author.item()).toMatchObject({ submitted: { package: { sha256: artifact.sha256 } } });
      expect(await author.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.0.0' });
    });

    it('goes out once the same content is packed smaller than what the store refused', async () => {
      const { author, pusher } = await onChrome();
      const packed = (compress: boolean): Promise<Buffer> =>
        zipOf(
          { 'manifest.json': JSON.stringify(manifestOf('1.0.0')), 'background.js': ' '.repeat(10_000) },
          undefined,
          compress,
        );
      expectStatus(await pusher.push('1.0.0', await packed(false)), 201);
      await author.fault('upload', INVALID_PACKAGE);
      await author.reconcile();
      expect(await author.status()).toMatchObject({ phase: 'rejected' });
      const small = await packed(true);
      await world.forward(SECOND);
      expectStatus(await pusher.push('1.0.0', small), 200);
      await author.reconcile();
      expect(await author.item()).toMatchObject({ submitted: { package: { sha256: sha256Of(small) } } });
    });

    it('keeps its number at Firefox, where no version was made, and leaves what other stores hold as it is', async () => {
      const { pusher, push, reconciled, held, set } = await onFirefox();
      await set({ preflight: 'off' });
      const wrong = await packageOf('1.0.0', { browser_specific_settings: { gecko: { id: 'other@example.test' } } });
      expectStatus(await pusher.push('1.0.0', wrong), 201);
      for (let look = 1; look <= 4; look += 1) await reconciled();
      const { message } = await reconciled();
      expect(message).toMatch(/does not match .*its number is still free/);
      const { artifact } = expectStatus(await push('1.0.0', 'Mended', { store: 'firefox' }), 201).body;
      for (let look = 1; look <= 4; look += 1) await reconciled();
      expect(await held()).toEqual([artifact.sha256]);
      const answer = await push('1.0.0', 'Another', { store: 'firefox' });
      expect(answer).toMatchObject(CONFLICT);
      expect(answer.body.detail).toMatch(/^Firefox Add-ons already received other content for version 1\.0\.0\./);
    });

    it('loses its number where an earlier submission of it may have arrived', async () => {
      const { author, pusher } = await onChrome();
      await pusher.pushed('1.0.0');
      await author.fault('publish', { kind: 'status', status: 500, times: 1 });
      await author.reconcile();
      await author.fault('upload', INVALID_PACKAGE);
      for (let look = 1; look <= 3; look += 1) {
        await world.forward(60 * SECOND);
        await author.reconcile();
      }
      expect(await pusher.push('1.0.0', await packageOf('1.0.0', { name: 'Another' }))).toMatchObject(CONFLICT);
    });
  });
});
