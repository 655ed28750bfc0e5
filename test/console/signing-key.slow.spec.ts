import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateKeyPairSync } from 'node:crypto';
import { Author } from '../reconcile/author.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the signing key of a target', () => {
  let desk: Desk;
  let author: Author;
  beforeAll(async () => {
    desk = await Desk.open();
    author = await Author.in(desk.world, { published: '1.0.0' });
  });
  afterAll(() => desk.close());

  it('is made, given, copied and deleted', async () => {
    const { extensionId, targetId } = author.mine;
    const page = await desk.visit({ as: author.mine, path: `/extensions/${extensionId}/targets/${targetId}` });
    const section = page.getByRole('region', { name: 'Signing key' });
    await section.getByText('Verified CRX Uploads').waitFor();
    await desk.look(page, 'signing-key-none');
    await section.getByRole('button', { name: 'Make a key' }).click();
    await section.getByText('-----BEGIN PUBLIC KEY-----').waitFor();
    await desk.look(page, 'signing-key-made');
    await section.getByRole('button', { name: 'Delete key' }).click();
    const dialog = page.getByRole('dialog');
    const name = await dialog.getByRole('textbox').getAttribute('aria-label');
    await desk.lookAtDialog(page, 'signing-key-delete');
    await dialog.getByRole('textbox').fill(/“(.+)”/.exec(name ?? (await dialog.innerText()))?.[1] ?? '');
    await dialog.getByRole('button', { name: 'Delete key' }).click();
    await section.getByRole('button', { name: 'Use my own' }).click();
    await section.getByLabel('Private key').fill('garbage');
    await section.getByRole('button', { name: 'Keep this key' }).click();
    await section.getByText('cannot be used').first().waitFor();
    await desk.look(page, 'signing-key-fault');
    const key = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await section.getByLabel('Private key').fill(key.privateKey);
    await section.getByRole('button', { name: 'Keep this key' }).click();
    await section.getByText('-----BEGIN PUBLIC KEY-----').waitFor();
    expect(await section.getByLabel('public key').first().innerText()).toBe(key.publicKey.trimEnd());
  });
});
