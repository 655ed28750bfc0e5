import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailDeliveryWorker, type World } from '../../support/app.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { oneOffSale } from '../../support/purchases.js';
import { partOf, type SmtpServer, type TakenMail } from '../../support/smtp-server.js';
import { Seller } from '../../webhooks/seller.js';
import { codeOf, everything } from '../delivery/codes.js';
import { Team } from '../team.js';
import { activationsIn } from './links.js';

const NAME = 'Tabs & "<Owls>"';

describe('a mail whose button activates', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  /** Sells one license of an extension with a setting. @returns the mail of the buyer */
  const sold = async (activationLink: boolean): Promise<{ readonly seller: Seller; readonly mail: TakenMail }> => {
    const seller = await Seller.in(world, 'stripe');
    const change = { name: NAME, licensing: { activationLink } };
    expectStatus(await world.api.as(seller.tenant).patch(`/extensions/${seller.extensionId}`, change), 200);
    const sale = seller.sale();
    await seller.sendAll(oneOffSale('stripe', sale));
    await world.app.get(MailDeliveryWorker).tick();
    const [mail] = smtp.to(sale.email ?? '');
    if (mail === undefined) throw new Error('No mail came');
    return { seller, mail };
  };

  it('has one button, to a page of the extension with the code in the fragment, and says what to do without it', async () => {
    const { seller, mail } = await sold(true);
    const code = codeOf(mail);
    const path = `/buyer/activate/${seller.extensionId}#${code}`;
    expect(activationsIn(mail)).toEqual([path]);
    const text = partOf(mail, 'text/plain');
    expect(text).toContain(`\n\n    ${code}\n\nThis button activates ${NAME} in the browser that opens it.\n\n`);
    expect(text).toMatch(new RegExp(`^Activate Tabs .+:\\nhttps?://[^/]+${path}$`, 'm'));
    expect(text).toContain(`open ${NAME}, choose to enter a license code, and paste this one. It works on `);
    expect(text).toMatch(/^Manage my license:\nhttps?:\/\/\S+\/buyer$/m);
    const html = partOf(mail, 'text/html');
    const buttons = [...html.matchAll(/<a class="button" href="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...said]) => said);
    expect(buttons).toEqual([[expect.stringMatching(`${path}$`), 'Activate Tabs &amp; &quot;&lt;Owls&gt;&quot;']]);
    expect(html.replaceAll(path, '').split(code)).toHaveLength(2);
  });

  it('is sent to the members of a team too', async () => {
    const team = await Team.open(world, smtp);
    const licensing = { activationLink: true };
    expectStatus(await team.shop.mine('PATCH', `/extensions/${team.shop.extensionId}`, { licensing }), 200);
    expectStatus(await team.invite('mia@member.example'), 201);
    await world.app.get(MailDeliveryWorker).tick();
    const [mail] = smtp.to('mia@member.example');
    expect(activationsIn(mail)).toEqual([`/buyer/activate/${team.shop.extensionId}#${codeOf(mail)}`]);
  });

  it('is sent only for an extension that is set so', async () => {
    const { mail } = await sold(false);
    expect(mail.source).not.toContain('/buyer/activate');
    expect(partOf(mail, 'text/plain')).toContain(`2. Paste this code.`);
  });

  it('leaves its code nowhere: not in a row, a log, a timeline or an answer', async () => {
    const { seller, mail } = await sold(true);
    const code = codeOf(mail);
    const [path = ''] = activationsIn(mail);
    await fetch(world.url + path);
    const api = world.api.as(seller.tenant);
    const lists = [`/extensions/${seller.extensionId}/events`, '/audit', '/licenses', '/licenses/export'];
    const answers = await Promise.all(lists.map(async (list) => expectStatus(await api.get(list), 200).text));
    for (const text of [await everything(world), world.log.join('\n'), ...answers]) {
      expect(text).not.toBe('');
      expect(text).not.toContain(code);
    }
  });

  it('leads to a page that runs its own script alone, in the look of the seller, whatever the extension is called', async () => {
    const { seller, mail } = await sold(true);
    const brand = { displayName: 'Night <b>Owl</b>', accentColor: '#0b5fcc' };
    expectStatus(await world.api.as(seller.tenant).patch('/branding', brand), 200);
    const [path = ''] = activationsIn(mail);
    const answer = await fetch(world.url + path);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const policy = answer.headers.get('content-security-policy') ?? '';
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(html) ?? [];
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(html).toContain('Tabs &amp; &quot;&lt;Owls&gt;&quot;');
    expect(html).toContain('Night &lt;b&gt;Owl&lt;/b&gt;');
    expect(html).toContain(`/buyer?seller=${seller.tenant.tenantId}`);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it.each(['01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4', 'no-uuid', '%00', "'"])(
    'leads nowhere for the extension %s, which there is not',
    async (id) => {
      const answer = await fetch(`${world.url}/buyer/activate/${id}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('This link does not work');
    },
  );
});
