import { createHash } from 'node:crypto';
import type { Artifact } from '../../src/artifacts/artifacts.dto.js';
import type { FromJson } from '../../sandbox/sandbox-control.js';
import type { Answer } from '../support/api.js';
import type { World } from '../support/app.js';
import { expectStatus, type Publishable, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';

export type ArtifactJson = FromJson<Artifact>;

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** An author who pushes packages of one extension. */
export class Pusher {
  constructor(
    private readonly world: World,
    readonly mine: Pick<Publishable, 'token' | 'extensionId'>,
  ) {}

  /** With an extension that is published nowhere yet. */
  static async in(world: World, owner?: Tenant): Promise<Pusher> {
    const { token } = owner ?? (await world.given.tenant());
    return new Pusher(world, { token, extensionId: await world.given.extension({ token }) });
  }

  /** With an extension on the Chrome Web Store. */
  static async onChrome(world: World, wish: object = {}): Promise<Pusher> {
    return new Pusher(world, await world.given.publishable(wish));
  }

  get extension(): string {
    return this.mine.extensionId;
  }

  /** @param zip none pins without a package */
  push(version: string, zip?: Uint8Array, also: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.sends({ version, ...also }, zip);
  }

  sends(query: Readonly<Record<string, string>>, body?: Uint8Array | FormData, type?: string): Promise<Answer> {
    const api = this.world.api.as(this.mine);
    const search = { extension: this.extension, ...query };
    if (body instanceof FormData)
      return api.post(`/artifacts?${new URLSearchParams(search).toString()}`, undefined, { raw: body });
    return api.push(search, body === undefined ? undefined : new Uint8Array(body), type);
  }

  /** Pushes a package that must be taken, and returns what was kept. */
  async pushed(
    version: string,
    changes: object = {},
    also: Readonly<Record<string, string>> = {},
  ): Promise<ArtifactJson> {
    return expectStatus(await this.push(version, await packageOf(version, changes), also), 201).body.artifact;
  }

  async list(): Promise<readonly ArtifactJson[]> {
    const answer = await this.world.api.as(this.mine).get(`/artifacts?extension=${this.extension}`);
    return expectStatus(answer, 200).body.artifacts;
  }

  /** The package of an artifact, with the headers it came with. */
  async download(id: string): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer }> {
    const answer = await fetch(`${this.world.url}/api/v1/artifacts/${id}/download`, {
      headers: { authorization: `Bearer ${this.mine.token}` },
    });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  async reconcile(): Promise<void> {
    const answer = await this.world.api.as(this.mine).post(`/extensions/${this.extension}/reconcile`);
    expectStatus(answer, 200);
  }

  async deleteExtension(): Promise<void> {
    expectStatus(await this.world.api.as(this.mine).delete(`/extensions/${this.extension}`), 204);
  }
}
