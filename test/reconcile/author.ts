import type { Notification } from '../../src/notifications/notifications.dto.js';
import type { ReconciledTarget, PlannedTarget, VersionReleases } from '../../src/reconcile/reconcile.dto.js';
import type { TimelineEvent } from '../../src/registry/registry.dto.js';
import type { FaultOptions, FromJson } from '../../sandbox/sandbox-control.js';
import type { Target } from '../../src/targets/targets.dto.js';
import type { Answer } from '../support/api.js';
import type { World } from '../support/app.js';
import { expectStatus, Given, type Publishable } from '../support/given.js';
import { SERVICE_ACCOUNT_KEY } from '../support/keys.js';
import { packageOf } from '../support/packages.js';

/** The service that an author asks, and the stores behind it. */
type Where = Pick<World, 'api' | 'control' | 'sandbox'> & Partial<Pick<World, 'given'>>;

type Item = Awaited<ReturnType<World['control']['state']>>;

/** Chrome's answer to a package that it does not accept, in its words. */
export const refusedUpload = (words = 'The manifest is invalid.') =>
  ({
    kind: 'status',
    times: 1,
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'Invalid package.',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'media', description: words, reason: 'PKG_MANIFEST_PARSE_ERROR' }],
          },
        ],
      },
    },
  }) as const;

/** An author with one extension on the Chrome Web Store: what he does over HTTP, and what the store then holds. */
export class Author {
  private constructor(
    private readonly world: Where,
    readonly mine: Publishable,
  ) {}

  /** @param wish what the store's item is to be like, such as `{ published: '1.0.0' }` */
  static async in(world: Where, wish: object = {}): Promise<Author> {
    return new Author(world, await (world.given ?? new Given(world.api, world.control)).publishable(wish));
  }

  /** The key of the service account that publishes. */
  readonly privateKey = SERVICE_ACCOUNT_KEY;

  /** The same author, asking another process of the service. */
  at(world: Where): Author {
    return new Author(world, this.mine);
  }

  /** Pins a version, for all stores, one, or one target; the package's name makes one that differs from another of the same version. */
  async push(
    version: string,
    name = 'Night Owl',
    where: { readonly store?: string; readonly target?: string } = {},
  ): Promise<Answer> {
    const zip = new Uint8Array(await packageOf(version, { name }));
    return this.world.api.as(this.mine).push({ extension: this.mine.extensionId, version, ...where }, zip);
  }

  async reconcile(): Promise<FromJson<ReconciledTarget>> {
    return (await this.post('reconcile')).body.targets[0];
  }

  /** @param query what to plan with instead of what is pinned, such as `?artifact=…` */
  async plan(query = ''): Promise<FromJson<PlannedTarget>> {
    const targets: readonly FromJson<PlannedTarget>[] = (await this.get(`plan${query}`)).body.targets;
    const planned = targets.find(({ targetId }) => targetId === this.mine.targetId);
    if (planned === undefined) throw new Error('The plan leaves the target out');
    return planned;
  }

  async target(): Promise<FromJson<Target>> {
    return (await this.get(`targets/${this.mine.targetId}`)).body;
  }

  async status(): Promise<FromJson<Target>['status']> {
    return (await this.target()).status;
  }

  async set(settings: object): Promise<void> {
    const path = `/extensions/${this.mine.extensionId}/targets/${this.mine.targetId}`;
    expectStatus(await this.world.api.as(this.mine).patch(path, settings), 200);
  }

  /** The timeline, oldest first. */
  async events(): Promise<readonly FromJson<TimelineEvent>[]> {
    return (await this.get('events?limit=100')).body.items.toReversed();
  }

  /** What the timeline says, oldest first, as `kind` or `kind step`. */
  async history(): Promise<readonly string[]> {
    return (await this.events()).map(({ kind, data }) => {
      const { step } = (data ?? {}) as { readonly step?: string };
      return step === undefined ? kind : `${kind} ${step}`;
    });
  }

  /** The notifications about the target, oldest first, as `kind version`. */
  async notifications(): Promise<readonly string[]> {
    const answer = expectStatus(await this.world.api.as(this.mine).get('/notifications'), 200);
    const items: readonly FromJson<Notification>[] = answer.body.items;
    return items.map(({ kind, version }) => `${kind} ${version}`).toReversed();
  }

  /** The state of each version, newest first. */
  async releases(): Promise<readonly string[]> {
    const items: readonly FromJson<VersionReleases>[] = (await this.get('releases')).body.items;
    return items.map(({ version, targets }) => `${version} ${targets.map(({ state }) => state).join()}`);
  }

  /** The item as the store holds it. */
  item(): Promise<Item> {
    return this.world.control.state(this.mine.itemId);
  }

  async counters(): Promise<Item['counters']> {
    return (await this.item()).counters;
  }

  /** Somebody does something in the store's dashboard. */
  dashboard(change: object): Promise<Item> {
    return this.world.control.patch(this.mine.itemId, change);
  }

  act(action: Parameters<World['control']['act']>[1]): Promise<Item> {
    return this.world.control.act(this.mine.itemId, action);
  }

  /** Something goes wrong with the next call of this kind. */
  async fault(operation: string, wish: Omit<FaultOptions, 'match' | 'itemId'>): Promise<void> {
    await this.world.control.fault({ itemId: this.mine.itemId, match: { operation }, ...wish });
  }

  /** The calls that reached the store about this item, and those for its owner's tokens, in their order. */
  async asked(): Promise<readonly string[]> {
    const calls = await this.world.control.requests({ publisherId: this.mine.publisherId });
    return calls.map(({ operation }) => operation);
  }

  /** Somebody deletes the credential's key at the store. */
  revoke(what = 'all'): Promise<void> {
    return this.world.control.account(this.mine.publisherId, 'revoke', { what });
  }

  /** Makes a new key at the store, and gives it to Pierhead under the same credential. */
  async rotate(): Promise<void> {
    const { publisherId, serviceAccount } = await this.world.control.rotate(this.mine.clientEmail);
    const api = this.world.api.as(this.mine);
    const path = `/credentials/${this.mine.credentialId}`;
    expectStatus(await api.patch(path, { credentials: { publisherId, serviceAccount } }), 200);
  }

  private async get(path: string): Promise<Answer> {
    const answer = await this.world.api.as(this.mine).get(`/extensions/${this.mine.extensionId}/${path}`);
    return expectStatus(answer, 200);
  }

  private async post(path: string): Promise<Answer> {
    const answer = await this.world.api.as(this.mine).post(`/extensions/${this.mine.extensionId}/${path}`);
    return expectStatus(answer, 200);
  }
}

/** The steps that a reconcile took. */
export const stepsOf = ({ steps }: FromJson<ReconciledTarget>): readonly string[] => steps.map(({ step }) => step);
