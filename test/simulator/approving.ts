import type { Approval } from '../../src/artifacts/approvals/approvals.dto.js';
import type { FromJson } from '../../sandbox/sandbox-control.js';
import type { Answer, Identity } from '../support/api.js';
import { expectStatus, type Tenant } from '../support/given.js';
import type { Publisher } from '../reconcile/publisher.js';
import { expectOneOf, type Cast } from './acts.js';
import { lookForBrokenRows } from './laws.js';
import type { Random } from './random.js';
import type { Stage } from './stage.js';
import type { Team } from './team.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Asked = FromJson<Approval>;

/** How often a decision was recorded, and who else the audit log has for what it is about. */
const RECORDED = `
  select approval.version, approval.state, decided_by as "decidedBy", requested_by as "requestedBy",
         (select count(*)::int from audit_entry where subject_id = approval.id and action = 'approval.' || state and actor_name = decided_by) as decisions,
         (select count(*)::int from audit_entry where subject_id = approval.id and action in ('approval.approved', 'approval.rejected')) as entries,
         exists (select from audit_entry where subject_id = artifact_id and actor_name = requested_by) as "isAsked"
    from approval where extension_id = $1 and state in ('approved', 'rejected')`;

interface Recorded extends Pick<Asked, 'version' | 'state' | 'decidedBy' | 'requestedBy'> {
  readonly decisions: number;
  readonly entries: number;
  readonly isAsked: boolean;
}

/** One content of one version, as the people know it. */
interface Content {
  /** By their addresses: those who pushed it, or brought it back. */
  readonly askers: Set<string>;
  /** It may be at stores: a second person may have approved it, or it was pinned while that was not required. */
  isFree: boolean;
  isRejected: boolean;
  /** How often somebody began to push it. */
  pushes: number;
}

/** The people of a team decide about each other's versions of an extension, which requires that at times. */
export class Approving {
  /** Whether another person must approve each version; null while somebody is changing it. */
  private isRequired: boolean | null = false;
  private readonly contents = new Map<string, Content>();
  /** Versions that bring back others: their package is nobody's. */
  private readonly broughtBack = new Set<string>();

  constructor(
    private readonly cast: Cast,
    private readonly stage: Stage,
    private readonly publisher: Publisher,
    private readonly team: Team,
    readonly name: string,
    /** Another extension that has a target at one of the items, which requires approvals there by its own setting. */
    private readonly twin: string,
  ) {
    team.temptations.push({ what: 'to approve a version', work: (self) => this.tempted(self) });
  }

  static async begin(cast: Cast, stage: Stage, publisher: Publisher, team: Team, name: string): Promise<Approving> {
    const { world, founder } = team;
    const twin = await world.given.extension(founder, `Twin of ${name}`);
    expectStatus(await world.api.as(founder).post(`/extensions/${twin}/targets`, publisher.placeOf('chrome')), 201);
    return new Approving(cast, stage, publisher, team, name, twin);
  }

  live(): void {
    const { cast, name, publisher } = this;
    cast.acts(`head of ${name}`, DAY, ({ random }) => this.require(random.chance(0.7)));
    cast.acts(`head of the twin of ${name}`, 2 * DAY, ({ random }) => this.requireAtTwin(random.chance(0.5)));
    cast.acts(`second people of ${name}`, 5 * HOUR, ({ random }) => this.decideOne(random));
    cast.acts(`shelves of ${name}`, 8 * HOUR, async ({ random }) => {
      await this.isAllowed(random.pick(publisher.stores));
    });
  }

  /** Somebody requires approvals while a replica asks a store what to do about a version that needs none. */
  async requireMeanwhile(push: () => Promise<void>): Promise<void> {
    await this.requireNone();
    await push();
    const goOn = await this.stage.network.held(/:fetchStatus$/);
    await this.requireAtTwin(true);
    goOn();
  }

  async requireNone(): Promise<void> {
    await this.require(false);
    await this.requireAtTwin(false);
  }

  /** A version that somebody rejected is not sent either once others require no approvals. */
  async rejectOne(push: () => Promise<void>): Promise<void> {
    await this.require(true);
    await push();
    for (const asked of await this.cast.patiently('what waits', () => this.waiting()))
      await this.decide(asked, 'reject');
    await this.requireNone();
    await this.cast.kernel.pause(DAY / 3, 'requires none');
    await this.areAllowed();
  }

  /** A version that nobody has decided about is not sent. */
  async holdOne(push: () => Promise<void>): Promise<void> {
    await this.require(true);
    await push();
    await this.cast.kernel.pause(DAY, 'waits for a second person');
    await this.areAllowed();
  }

  /** What waits at the end is approved by somebody, or by nobody's leave once only one person is left who may. */
  async approveAll(): Promise<void> {
    const waiting = await this.cast.patiently('what waits', () => this.waiting());
    for (const asked of waiting)
      if (this.team.whoMay('publish', asked.requestedBy).length > 0) {
        await this.approveOwn(asked);
        await this.approveByToken(asked);
        const done = await Promise.all([this.decide(asked, 'approve'), this.decide(asked, 'approve')]);
        // Somebody presses late.
        if (done.includes(200)) await this.decide(asked, 'reject');
      } else await this.requireNone();
    await lookForBrokenRows((sql) => this.stage.database.look(sql));
  }

  async settle(): Promise<void> {
    await this.areAllowed();
    const decided = (await this.stage.database.look<Recorded>(RECORDED, [this.publisher.extensionId])) ?? [];
    for (const { version, state, decidedBy, requestedBy, decisions, entries, isAsked } of decided) {
      const how = `${this.name}: the audit log has ${entries} decisions about ${version}, ${decisions} of them that ${decidedBy} ${state} it`;
      this.cast.judge('a decision is recorded once', decisions === 1 && entries === 1, how);
      const asked = `It does not have that ${requestedBy} pushed ${version}, about which ${decidedBy} decided`;
      this.cast.judge('what was acknowledged stands in the audit log', isAsked, asked);
    }
    this.cast.kernel.say(`${this.name}: ${decided.length} decisions`);
  }

  /** Somebody begins to push a content, or to bring back an older version, whose digest is null. */
  pushes(version: string, sha256: string | null, { email }: Pick<Tenant, 'email'>): void {
    if (sha256 === null) this.broughtBack.add(version);
    const content = this.contentOf(version, sha256);
    content.askers.add(email);
    content.pushes += 1;
    // The same content again is asked for again.
    content.isRejected = false;
    if (this.isRequired !== true) content.isFree = true;
  }

  /** Nobody has been able to approve any content of a version. */
  isHeld(version: string): boolean {
    return ![...this.contents].some(([key, { isFree }]) => isFree && key.startsWith(`${version} `));
  }

  private async areAllowed(): Promise<void> {
    for (const store of this.publisher.stores) await this.isAllowed(store);
  }

  /** Each content that a store has was pushed, and approved by a second person, or pinned while that was not required. */
  private async isAllowed(store: Publisher['stores'][number]): Promise<void> {
    const isAnyHeld = [...this.contents.values()].some(({ isFree }) => !isFree);
    for (const { version, sha256 } of await this.publisher.testStore(store).received()) {
      const isAsPushed = sha256 !== null && !this.broughtBack.has(version);
      const content = isAsPushed ? this.contents.get(keyOf(version, sha256)) : undefined;
      const other = `${this.name}: ${store} has content of ${version} that nobody pushed: ${sha256}`;
      this.cast.judge('stores have what was pushed', !isAsPushed || content !== undefined, other, isAsPushed);
      const isFree = content === undefined ? !this.isHeld(version) : content.isFree;
      const how = `${this.name}: ${store} has ${version} (${sha256}), which nobody approved`;
      this.cast.judge('stores have only what may be there', isFree, how, isAnyHeld);
    }
  }

  /** An owner or admin changes whether versions have to be approved. */
  private async require(required: boolean): Promise<void> {
    if (required === this.isRequired) return;
    this.isRequired = null;
    // A rejection holds until somebody pushes the same again.
    if (!required) for (const content of this.contents.values()) content.isFree ||= !content.isRejected;
    this.isRequired = (await this.set(this.publisher.extensionId, required)) && required;
    await this.tokenMayNot();
  }

  private async requireAtTwin(required: boolean): Promise<void> {
    await this.set(this.twin, required);
  }

  /** @returns false when fewer than two may publish */
  private set(extensionId: string, required: boolean): Promise<boolean> {
    const { cast, team } = this;
    return cast.patiently(`${extensionId} requires approvals: ${required}`, async () => {
      const before = team.whoMay('publish');
      const { status } = await team.as('requireApprovals', async ({ token }) => {
        const path = `/extensions/${extensionId}`;
        const answer = await team.world.api.as({ token }).patch(path, { approval: { required } });
        return answer.body.code === 'approval_needs_two' ? answer : expectStatus(answer, 200);
      });
      const both = team.whoMay('publish').filter((person) => before.includes(person));
      const how = `${both.length} people may publish, and cannot require approvals`;
      this.cast.judge('two who may publish can require approvals', status === 200 || both.length < 2, how, required);
      return status === 200;
    });
  }

  /** Somebody looks through what waits, and decides about one of it, or about none. */
  private async decideOne(random: Random): Promise<void> {
    const waiting = await this.cast.once('what waits', () => this.waiting());
    const [asked] = waiting ?? [];
    if (asked === undefined) return;
    const act = random.weighted({ approve: 10, reject: 3, none: 4, approveOwn: 3, approveByToken: 1 });
    if (act === 'approveOwn') await this.approveOwn(asked);
    else if (act === 'approveByToken') await this.approveByToken(asked);
    else if (act !== 'none' && this.team.whoMay('publish', asked.requestedBy).length > 0) {
      // Two press at once, now and then.
      const isTwice = random.chance(0.2);
      await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => this.decide(asked, act)));
    }
  }

  /** @returns the status of the answer; null when there is nobody who may */
  private async decide(asked: Asked, act: 'approve' | 'reject'): Promise<number | null> {
    const { cast, team } = this;
    const { id, version, sha256, requestedBy } = asked;
    const content = this.contentOf(version, sha256);
    const isNamed = requestedBy !== null && content.askers.has(requestedBy);
    cast.judge('an approval names who asked', isNamed, `${requestedBy} did not ask for ${version}`);
    const { pushes } = content;
    if (act === 'approve') Object.assign(content, { isFree: true, isRejected: false });
    const done = await cast.patiently(`${act} ${version}`, async () => {
      if (team.whoMay('publish', requestedBy).length === 0) return null;
      return team.as(
        'publish',
        async ({ cookie }) => {
          const body = act === 'reject' ? { reason: 'It is late.' } : undefined;
          const answer = await team.world.api.as({ cookie }).post(`/approvals/${id}/${act}`, body);
          return expectOneOf(answer, 200, 409);
        },
        requestedBy,
      );
    });
    cast.kernel.say(`${version}: ${act}: ${done?.status ?? 'by nobody'}`);
    if (done?.status === 200 && act === 'reject' && content.pushes === pushes) content.isRejected = true;
    return done?.status ?? null;
  }

  /** Who asked tries to approve it. */
  private async approveOwn({ id, version, requestedBy }: Asked): Promise<void> {
    const own = await this.cast.once(
      `${requestedBy} approves their own ${version}`,
      () => this.team.attempt(requestedBy, async ({ cookie }) => this.refused(`/approvals/${id}/approve`, { cookie })),
      // Who was removed cannot log in.
      [401],
    );
    const how = `${requestedBy} approved their own ${version}`;
    this.cast.judge('nobody decides about their own version', own?.status !== 200, how, own !== null);
  }

  private async approveByToken({ id, version }: Asked): Promise<void> {
    const { token } = this.team.founder;
    const answer = await this.cast.once(`a token approves ${version}`, () =>
      this.refused(`/approvals/${id}/approve`, { token }),
    );
    this.cast.judge('no token decides', answer?.status !== 200, `A token approved ${version}`, answer !== null);
  }

  /** Asks for what is to be refused: because of who asks, or because somebody has decided meanwhile. */
  private async refused(path: string, by: Identity): Promise<Answer> {
    return expectOneOf(await this.team.world.api.as(by).post(path), 200, 401, 403, 409);
  }

  /** No token changes whether approvals are required. */
  private async tokenMayNot(): Promise<void> {
    const { token } = this.team.founder;
    const path = `/extensions/${this.publisher.extensionId}`;
    const body = { approval: { required: this.isRequired !== true } };
    const answer = await this.cast.once('a token requires approvals', async () =>
      expectOneOf(await this.team.world.api.as({ token }).patch(path, body), 200, 403),
    );
    const how = 'A token changed whether approvals are required';
    this.cast.judge('no token decides', answer?.status !== 200, how, answer !== null);
  }

  /** Somebody who may not publish tries to approve what waits. @returns the status; null when nothing waits */
  private async tempted({ cookie }: Tenant): Promise<number | null> {
    const [asked] = await this.waiting();
    if (asked === undefined) return null;
    const answer = await this.cast.once('by a stranger', () =>
      this.refused(`/approvals/${asked.id}/approve`, { cookie }),
    );
    // Somebody may have given them a role meanwhile.
    if (answer === null || answer.status === 200) this.contentOf(asked.version, asked.sha256).isFree = true;
    return answer?.status ?? null;
  }

  private async waiting(): Promise<readonly Asked[]> {
    const path = `/approvals?extension=${this.publisher.extensionId}`;
    return expectStatus(await this.team.world.api.as({ token: this.team.founder.token }).get(path), 200).body.items;
  }

  private contentOf(version: string, sha256: string | null): Content {
    const key = this.broughtBack.has(version) ? keyOf(version, null) : keyOf(version, sha256);
    const known = this.contents.get(key) ?? { askers: new Set(), isFree: false, isRejected: false, pushes: 0 };
    this.contents.set(key, known);
    return known;
  }
}

const keyOf = (version: string, sha256: string | null): string => `${version} ${sha256 ?? ''}`;
