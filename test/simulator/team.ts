import type { Role } from '../../src/common/access/index.js';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { expectOneOf, Hindered, statusIn, type Cast } from './acts.js';
import type { Random } from './random.js';

const DAY = 86_400_000;
/** A session that nobody uses for two weeks ends. */
const LOGS_IN_AFTER_MS = 5 * DAY;
const MOST_PEOPLE = 6;

/** Who may do what, as the documents say. */
const MAY = {
  publish: ['owner', 'admin', 'publisher'],
  rotate: ['owner', 'admin'],
  requireApprovals: ['owner', 'admin'],
  changeMembers: ['owner'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

const ALLOWED = 'people can do what their role allows';
/** What somebody is answered who may not. */
const REFUSALS: readonly number[] = [401, 403];

/** What somebody tries who may not publish. */
interface Temptation {
  readonly what: string;
  /** @returns the status of the answer; null when there is nothing to try */
  readonly work: (self: Tenant) => Promise<number | null>;
}

interface Person {
  readonly name: string;
  /** Who they are to the service since they last logged in. */
  self: Tenant;
  loggedInMs: number;
  /** Null when they were removed. */
  role: Role | null;
  /** How often their role was changed, or may have been; odd while it is being changed. */
  changes: number;
}

/** The people of one tenant: they do its work, change what others of them may do, remove each other, and let new ones in. */
export class Team {
  private readonly people: Person[] = [];
  /** How often a change was acknowledged, by its name in the audit log. */
  readonly changes = new Map<string, number>();
  readonly temptations: Temptation[] = [
    {
      what: 'to make an extension',
      work: async ({ token, email }) => {
        const answer = await this.world.api.as({ token }).post('/extensions', { name: `By ${email}` });
        return expectOneOf(answer, 201, ...REFUSALS).status;
      },
    },
  ];

  private constructor(
    private readonly cast: Cast,
    readonly world: World,
    readonly founder: Tenant,
  ) {}

  static async begin(cast: Cast, world: World, founder: Tenant): Promise<Team> {
    const team = new Team(cast, world, founder);
    team.joins(founder, 'owner');
    for (const role of ['admin', 'publisher', 'viewer'] as const) await team.letIn(founder, role);
    return team;
  }

  live(): void {
    this.cast.acts('head of the team', DAY, ({ random }) => this.changeMembers(random));
    this.cast.acts('someone who may not', DAY, async ({ random }) => {
      const strangers = this.people.filter((person) => this.isStranger(person));
      if (strangers.length === 0) return;
      const person = random.pick(strangers);
      await this.trespass(person, () => this.present(person));
    });
  }

  /** Each role still has its permissions, and the last owner stays one. */
  async settle(): Promise<void> {
    await this.cast.patiently('a last look', () => this.as('rotate', (self) => this.look(self)));
    const [founder] = this.people;
    for (const role of ['publisher', 'viewer'] as const) {
      await this.cast.patiently(`a new ${role}`, () => this.as('changeMembers', (by) => this.letIn(by, role)));
      this.changed('member.joined');
    }
    const leaver = this.people.findLast(({ role }) => role === 'publisher');
    if (leaver !== undefined) await this.change(leaver, null);
    for (const person of this.whoMay('changeMembers')) if (person !== founder) await this.change(person, 'publisher');
    if (founder !== undefined) await this.change(founder, null);
    for (const person of this.people)
      if (this.isStranger(person)) await this.trespass(person, () => this.present(person));
  }

  /** A change was acknowledged that the audit log must have. */
  changed(action: string): void {
    this.changes.set(action, (this.changes.get(action) ?? 0) + 1);
  }

  /**
   * Somebody who may do something does it.
   * @param except the address of somebody else
   * @throws LawBroken when it is refused although nobody changed their role
   */
  async as<T>(what: keyof typeof MAY, work: (self: Tenant) => Promise<T>, except?: string | null): Promise<T> {
    const able = this.whoMay(what, except);
    if (able.length === 0) throw new Hindered(`Nobody may ${what}`);
    const person = this.cast.kernel.current.random.pick(able);
    const { changes } = person;
    try {
      const done = await work(await this.present(person));
      this.cast.judge(ALLOWED, true, '');
      return done;
    } catch (error) {
      if (![401, 403].includes(statusIn(error) ?? 0)) throw error;
      const how = `${person.name}, ${person.role}, may ${what}, and was refused: ${String(error)}`;
      this.cast.judge(ALLOWED, person.changes !== changes, how);
      throw new Hindered(how, { cause: error });
    }
  }

  /** Those who may do something, but for one by their address. */
  whoMay(what: keyof typeof MAY, except?: string | null): readonly Person[] {
    const roles: readonly (Role | null)[] = MAY[what];
    return this.people.filter(
      ({ self, role, changes }) => changes % 2 === 0 && roles.includes(role) && self.email !== except,
    );
  }

  /** Somebody tries what they may or may not. */
  async attempt<T>(email: string | null, work: (self: Tenant) => Promise<T>): Promise<T | null> {
    const person = this.people.find(({ self }) => self.email === email);
    return person === undefined ? null : work(await this.present(person));
  }

  /** Somebody gets a token for what they are about to do, and logs in again from time to time. */
  private async present(person: Person): Promise<Tenant> {
    const { given, api } = this.world;
    const { nowMs } = this.cast.kernel;
    const { cookie } = person.self;
    if (nowMs - person.loggedInMs < LOGS_IN_AFTER_MS) {
      const { token } = expectStatus(await api.as({ cookie }).post('/auth/token'), 200).body;
      return { ...person.self, token };
    }
    person.self = await given.loggedIn(person.self);
    person.loggedInMs = nowMs;
    return person.self;
  }

  private joins(self: Tenant, role: Role): void {
    const name = `person ${this.people.length}`;
    this.people.push({ name, self, role, changes: 0, loggedInMs: this.cast.kernel.nowMs });
  }

  private async letIn(by: Tenant, role: Role): Promise<void> {
    this.joins(await this.world.given.member(by, role), role);
  }

  private async changeMembers(random: Random): Promise<void> {
    const members = this.people.filter(({ role }) => role !== null);
    const to = random.weighted({ owner: 1, admin: 1, publisher: 2, viewer: 2, gone: members.length });
    if (members.length < MOST_PEOPLE && random.chance(0.4)) {
      // Somebody whose joining was not answered is unknown to the team, and must be no owner.
      const role = to === 'gone' || to === 'owner' ? 'publisher' : to;
      await this.cast.patiently(`a new ${role}`, () => this.as('changeMembers', (by) => this.letIn(by, role)));
      this.changed('member.joined');
    } else await this.change(random.pick(members), to === 'gone' ? null : to);
  }

  /** Changes somebody's role, or removes them; an owner may do that to themselves, unless nobody else is one. */
  private async change(person: Person, to: Role | null): Promise<void> {
    const isLastOwner = person.role === 'owner' && this.whoMay('changeMembers').length === 1;
    // The founder, in whose name all else is done, would be let go only as the last owner.
    if (person.role === to || (person === this.people[0] && !isLastOwner)) return;
    const self = await this.cast.patiently(`${person.name} is there`, () => this.present(person));
    person.changes += 1;
    const owners = isLastOwner ? [person] : this.whoMay('changeMembers');
    const by = this.cast.kernel.current.random.pick(owners);
    const path = `/members/${person.self.userId}`;
    const status = await this.cast.patiently(`${person.name} becomes ${to ?? 'nobody'}`, async () => {
      const api = this.world.api.as({ cookie: (await this.present(by)).cookie });
      // What an answer that was lost had done is done.
      const statuses = to === null ? [204, 404, 409] : [200, 400, 409];
      return expectOneOf(await (to === null ? api.delete(path) : api.patch(path, { role: to })), ...statuses).status;
    });
    const how = `${person.name}, ${person.role}, becomes ${to ?? 'nobody'}: ${status}`;
    this.cast.judge('a tenant keeps an owner', (status === 409) === isLastOwner, how, isLastOwner);
    if (!isLastOwner) {
      person.role = to;
      this.changed(to === null ? 'member.removed' : 'member.role_changed');
    }
    person.changes += 1;
    // Tokens that were given before are worth no more than the role.
    if (this.isStranger(person)) await this.trespass(person, () => Promise.resolve(self));
  }

  /** Whether somebody may make no extension: they were removed, or have another role. */
  private isStranger({ role, changes }: Person): boolean {
    const may: readonly (Role | null)[] = MAY.publish;
    return changes % 2 === 0 && !may.includes(role);
  }

  /** Somebody tries what they may not. */
  private async trespass(person: Person, as: () => Promise<Tenant>): Promise<void> {
    for (const { what, work } of this.temptations) {
      const { changes } = person;
      const tried = `${person.name} tries ${what}`;
      // Who was removed cannot log in.
      const status = await this.cast.once(tried, async () => work(await as()), REFUSALS);
      this.cast.kernel.say(`${person.name} tries ${what}: ${status ?? 'no answer'}`);
      const isRefused = status !== null && status >= 300;
      const how = `${person.name}, ${person.role ?? 'who was removed'}, was allowed ${what}: ${status}`;
      const isReached = status !== null && person.changes === changes;
      this.cast.judge('nobody can do more than their role allows', !isReached || isRefused, how, isReached);
    }
  }

  private async look(self: Tenant): Promise<void> {
    expectStatus(await this.world.api.as({ cookie: self.cookie }).get('/credentials'), 200);
  }
}
