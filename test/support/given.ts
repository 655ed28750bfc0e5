import { randomUUID } from 'node:crypto';
import type { SandboxControl } from '../../sandbox/sandbox-control.js';
import type { Answer, Api } from './api.js';
import { packageOf } from './packages.js';
import { timed } from './timed.js';

/** A tenant with a logged-in user and a token that may do everything. */
export interface Tenant {
  readonly tenantId: string;
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly cookie: string;
  readonly token: string;
}

/** An extension that is ready to be published on the sandbox's Chrome Web Store. */
export interface Publishable extends Tenant {
  readonly extensionId: string;
  readonly targetId: string;
  readonly credentialId: string;
  readonly itemId: string;
  readonly publisherId: string;
  readonly clientEmail: string;
}

/** A license of a tenant, with the code that its buyer got. */
export interface Licensed extends Tenant {
  readonly extensionId: string;
  readonly planId: string;
  readonly licenseId: string;
  readonly code: string;
}

/** Answers in the words of a test: fails where the answer is not the one that was expected. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer;
}

export const PASSWORD = 'a long enough password';

/** Makes a tenant with its first user, whose password is `PASSWORD`, a session and a token. */
export type SignUp = (email: string) => Promise<Omit<Tenant, 'email' | 'password'>>;

/** Makes what a test needs, through the API, each time a new one. */
export class Given {
  /** @param signUp a shorter way than the API, where the service runs in this process */
  constructor(
    private readonly api: Api,
    private readonly control: SandboxControl,
    private readonly signUp: SignUp = (email) => this.signUpOverHttp(email),
  ) {}

  async tenant(): Promise<Tenant> {
    const email = `${randomUUID()}@author.example`;
    return { email, password: PASSWORD, ...(await timed('sign-ups', () => this.signUp(email))) };
  }

  private async signUpOverHttp(email: string): ReturnType<SignUp> {
    const wanted = { email, password: PASSWORD, tenantName: 'Author' };
    const signup = expectStatus(await this.api.post('/auth/signup', wanted), 201);
    const cookie = signup.headers.get('set-cookie')?.split(';')[0] ?? '';
    const token = await this.token({ cookie });
    return { tenantId: signup.body.tenant.id, userId: signup.body.user.id, cookie, token };
  }

  /** Another user who joins a tenant, logged in there, with a token that the session was exchanged for. */
  async member(of: Pick<Tenant, 'cookie'>, role: string): Promise<Tenant> {
    const email = `${randomUUID()}@author.example`;
    const password = PASSWORD;
    const token = await this.invitation(of, email, role);
    expectStatus(await this.api.post('/invitations/accept', { token, password }), 200);
    return this.loggedIn({ email, password });
  }

  /** Invites an address. @returns the secret of the link */
  async invitation({ cookie }: Pick<Tenant, 'cookie'>, email: string, role = 'viewer'): Promise<string> {
    const invited = await this.api.as({ cookie }).post('/invitations', { email, role });
    return expectStatus(invited, 201).body.link.split('#')[1];
  }

  async loggedIn({ email, password }: Pick<Tenant, 'email' | 'password'>): Promise<Tenant> {
    const login = expectStatus(await this.api.post('/auth/login', { email, password }), 200);
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { token } = expectStatus(await this.api.as({ cookie }).post('/auth/token'), 200).body;
    return { tenantId: login.body.tenant.id, userId: login.body.user.id, email, password, cookie, token };
  }

  /** An import of a file that waits to be checked. */
  async importedFile({ token }: Pick<Tenant, 'token'>, extensionId: string): Promise<string> {
    const raw = 'email,tier,order\nbuyer@example.com,pro,1\n';
    const sent = { raw, headers: { 'content-type': 'text/csv' } };
    const path = `/license-imports?extension=${extensionId}`;
    return expectStatus(await this.api.as({ token }).post(path, undefined, sent), 201).body.id;
  }

  async token({ cookie }: Pick<Tenant, 'cookie'>, scopes: readonly string[] = ['*']): Promise<string> {
    return expectStatus(await this.api.as({ cookie }).post('/access-tokens', { name: 'CI', scopes }), 201).body.token;
  }

  async extension({ token }: Pick<Tenant, 'token'>, name = `Extension ${randomUUID()}`): Promise<string> {
    return expectStatus(await this.api.as({ token }).post('/extensions', { name }), 201).body.id;
  }

  /** @param wish what the sandbox's item is to be like, such as `{ published: '1.0.0' }` */
  async publishable(wish: object = {}, tenant?: Tenant): Promise<Publishable> {
    const owner = tenant ?? (await this.tenant());
    const extensionId = await this.extension(owner);
    const account = await this.control.chromeAccount();
    const { itemId } = await this.control.chromeItem({ publisherId: account.publisherId, ...wish });
    const credentials = { publisherId: account.publisherId, serviceAccount: account.serviceAccount };
    const created = await this.api.as(owner).post('/credentials', { store: 'chrome', label: 'main', credentials });
    const credentialId: string = expectStatus(created, 201).body.id;
    const targetId = await this.targetOf(owner, extensionId, 'chrome');
    const settings = { storeItemId: itemId, credentialId, enabled: true };
    expectStatus(await this.api.as(owner).patch(`/extensions/${extensionId}/targets/${targetId}`, settings), 200);
    return {
      ...owner,
      extensionId,
      targetId,
      credentialId,
      itemId,
      publisherId: account.publisherId,
      clientEmail: account.serviceAccount.client_email,
    };
  }

  /** @param wish what the license and its plan are to be like; another extension's plan is made when none is named */
  async licensed(
    wish: {
      readonly extensionId?: string;
      readonly planId?: string;
      readonly maxActivations?: number;
      readonly expiresAt?: string;
    } = {},
    tenant?: Tenant,
  ): Promise<Licensed> {
    const owner = tenant ?? (await this.tenant());
    const extensionId = wish.extensionId ?? (await this.extension(owner));
    const { maxActivations, expiresAt } = wish;
    const planId = wish.planId ?? (await this.plan(owner, extensionId, maxActivations));
    const wanted = { planId, buyerEmail: `${randomUUID()}@buyer.example`, expiresAt };
    const { id, code } = expectStatus(await this.api.as(owner).post('/licenses', wanted), 201).body;
    return { ...owner, extensionId, planId, licenseId: id, code };
  }

  async plan({ token }: Pick<Tenant, 'token'>, extensionId: string, maxActivations?: number): Promise<string> {
    const wanted = { extensionId, tier: `tier ${randomUUID().slice(0, 8)}`, maxActivations };
    return expectStatus(await this.api.as({ token }).post('/plans', wanted), 201).body.id;
  }

  async targetOf(owner: Pick<Tenant, 'token'>, extensionId: string, store: string): Promise<string> {
    const { body } = expectStatus(await this.api.as(owner).get(`/extensions/${extensionId}/targets`), 200);
    return body.targets.find((target: { readonly store: string }) => target.store === store).id;
  }

  /** Pins a version by pushing a package of it. */
  async pinned(owner: Pick<Publishable, 'token' | 'extensionId'>, version: string): Promise<Answer> {
    const { token, extensionId } = owner;
    const zip = new Uint8Array(await packageOf(version));
    return expectStatus(await this.api.as({ token }).push({ extension: extensionId, version }, zip), 201);
  }
}
