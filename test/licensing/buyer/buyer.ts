import { BuyerLinksService, MailDeliveryWorker, type World } from '../../support/app.js';
import { partOf, type SmtpServer } from '../../support/smtp-server.js';

/** A page as a browser receives it. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a form sends: its address and its fields. */
export interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The forms of a page, in order. */
export const formsOf = ({ text }: Pick<Page, 'text'>): readonly Form[] =>
  [...text.matchAll(/<form method="post" action="([^"]*)">([\s\S]*?)<\/form>/g)].map(([, action = '', inner = '']) => ({
    action,
    fields: Object.fromEntries(
      [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)" \/>/g)].map(
        ([, name = '', value = '']) => [name, unescaped(value)],
      ),
    ),
  }));

export function formOf(page: Pick<Page, 'text'>, action: string): Form {
  const found = formsOf(page).find((form) => form.action === `/buyer/${action}`);
  if (found === undefined) throw new Error(`No form ${action} in: ${page.text}`);
  return found;
}

/** A browser without scripts, with one cookie. */
export class Browser {
  cookie: string | null = null;

  constructor(
    private readonly world: World,
    private readonly smtp: SmtpServer,
  ) {}

  get(path: string): Promise<Page> {
    return this.ask(path, {});
  }

  send({ action, fields }: Form, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.ask(action, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  request(email: string): Promise<Page> {
    return this.send({ action: '/buyer/link', fields: { email } });
  }

  /** The secret of the latest link mailed to an address; null when there is none. */
  async linkOf(email: string): Promise<string | null> {
    await this.world.app.get(BuyerLinksService).whenIdle();
    await this.world.app.get(MailDeliveryWorker).tick();
    const links = this.smtp
      .to(email)
      .map((mail) => /\/buyer\/enter\?token=([\w-]+)/.exec(partOf(mail, 'text/plain'))?.[1]);
    return links.findLast((link) => link !== undefined) ?? null;
  }

  /** Requests a link, opens it, and loads the licenses. */
  async enter(email: string): Promise<Page> {
    await this.request(email);
    const link = await this.linkOf(email);
    if (link === null) throw new Error(`No link came to ${email}`);
    await this.send(formOf(await this.get(`/buyer/enter?token=${link}`), 'enter'));
    return this.get('/buyer/licenses');
  }

  private async ask(path: string, init: RequestInit): Promise<Page> {
    const cookie: Readonly<Record<string, string>> = this.cookie === null ? {} : { cookie: this.cookie };
    const response = await fetch(`${this.world.url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...cookie, ...(init.headers as Readonly<Record<string, string>> | undefined) },
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = /=;/.test(set) ? null : (set.split(';')[0] ?? null);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}
