import type { DatabaseFault } from './database.js';
import type { SimulatedDisk } from './disk.js';
import type { Kernel, Party } from './kernel.js';
import type { Call, CallFault } from './network.js';
import type { MailFault, Post } from './post.js';
import { Random } from './random.js';
import { STORES_HOST, type Stage } from './stage.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How often things go wrong while the weather is bad. */
const SHARES = { call: 1 / 12, statement: 1 / 2500, kill: 1 / 5000, write: 1 / 8, mail: 1 / 12 } as const;

/** What a mail server answers to whom it takes nothing from at the moment, or for good until somebody changes its settings. */
const REFUSALS = [
  '421 4.7.0 too busy',
  '450 4.2.0 greylisted',
  '451 4.3.0 try later',
  '452 4.3.1 full',
  '554 5.7.1 no',
];

const GARBAGE = ['', '<html><body>Bad gateway</body></html>', '{"items":', 'null', '[]', '{"error":{}}'];

/** Makes things go wrong. Each fault has a name, so that a run can be repeated with some of them only. */
export class Weather {
  isClear = true;
  /** The faults that happened, in their order. */
  readonly happened: string[] = [];
  private readonly counts = new Map<string, number>();
  private stage: Stage | null = null;
  private fullUntilMs = 0;

  /** @param only the faults that may happen; all when it is null */
  constructor(
    private readonly kernel: Kernel,
    private readonly only: ReadonlySet<string> | null,
  ) {}

  over(stage: Stage, post: Post, disk: SimulatedDisk): void {
    this.stage = stage;
    post.faultOf = (from, moment) => this.mailFault(from, moment);
    disk.isFull = (party) => this.isDiskFull(party);
    stage.network.faultOf = (call) => this.callFault(call);
    stage.database.faultOf = (party, statement) => this.statementFault(party, statement);
  }

  /** Draws whether something goes wrong. @param what the kind of moment; its count makes the name of the fault */
  private draw(what: string, share: number): Random | null {
    if (this.isClear) return null;
    const count = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, count);
    const name = `${what} #${count}`;
    const random = new Random(`${this.kernel.seed}/${name}`);
    if (!random.chance(share) || (this.only !== null && !this.only.has(name))) return null;
    this.happened.push(name);
    this.kernel.say(`fault ${name}`);
    return random;
  }

  private callFault(call: Call): CallFault | null {
    if (call.path.startsWith('/__sim')) return null;
    this.mayKill(call.from);
    const isStore = call.host === STORES_HOST;
    const random = this.draw(`call ${call.from.name.split('.')[0]} ${call.method} ${kindOf(call.path)}`, SHARES.call);
    if (random === null) return null;
    const kind = random.weighted({
      refused: 3,
      lost: 4,
      slow: 2,
      status: isStore ? 4 : 0,
      truncated: isStore ? 1 : 0,
      garbage: isStore ? 1 : 0,
    });
    if (kind === 'refused' || kind === 'lost' || kind === 'truncated') return { kind };
    if (kind === 'slow') return { kind, ms: random.between(SECOND, 3 * MINUTE) };
    if (kind === 'garbage')
      return { kind: 'answer', status: 200, body: random.pick(GARBAGE), headers: {}, isDone: random.chance(0.5) };
    const status = random.pick([429, 429, 500, 502, 503, 504]);
    const headers: Readonly<Record<string, string>> =
      status === 429 && random.chance(0.5) ? { 'retry-after': String(random.below(900)) } : {};
    return { kind: 'answer', status, body: random.pick(GARBAGE), headers, isDone: random.chance(0.3) };
  }

  private mailFault(from: Party, moment: string): MailFault | null {
    this.mayKill(from);
    const random = this.draw(`mail ${from.name.split('.')[0]} ${moment}`, SHARES.mail);
    if (random === null) return null;
    const kind = random.weighted({ lost: 3, unheard: 3, refused: 3, silent: 2, death: 1 });
    if (kind === 'refused') return { kind, reply: random.pick(REFUSALS) };
    if (kind === 'silent') return { kind, ms: random.between(SECOND, 5 * MINUTE) };
    if (kind !== 'death') return { kind };
    this.kill(from, random);
    return { kind: 'silent', ms: SECOND };
  }

  private statementFault(party: Party, statement: string): DatabaseFault {
    if (party === this.kernel.world) return null;
    this.mayKill(party);
    const random = this.draw(`statement ${party.name.split('.')[0]} ${statement.slice(0, 40)}`, SHARES.statement);
    if (random === null) return null;
    return random.chance(0.5) ? 'refused' : 'lost';
  }

  /** The disk of the replicas may be full for a while. */
  private isDiskFull(party: Party): boolean {
    if (this.isClear || !party.name.startsWith('replica')) return false;
    const { nowMs } = this.kernel;
    if (nowMs >= this.fullUntilMs) {
      const random = this.draw('write', SHARES.write);
      if (random !== null) this.fullUntilMs = nowMs + random.exponential(30 * MINUTE);
    }
    return nowMs < this.fullUntilMs;
  }

  /** A replica may die at any of its calls and statements, and comes back after a while. */
  private mayKill(party: Party): void {
    if (!party.name.startsWith('replica')) return;
    const random = this.draw(`death of ${party.name.split('.')[0]}.`, SHARES.kill);
    if (random !== null) this.kill(party, random);
  }

  private kill(party: Party, random: Random): void {
    const { stage, kernel } = this;
    const number = Number(/\d+/.exec(party.name)?.[0]);
    if (stage !== null)
      kernel.later(
        0,
        '',
        () => void stage.restart(number, party, random.exponential(2 * MINUTE), random),
        kernel.world,
      );
  }
}

/** A path without what names a thing. */
const kindOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (/\d|%|@|^[a-z]{32}/.test(part) && !/^v\d$/.test(part) ? part.replace(/^[^:]*/, '*') : part))
    .join('/');
