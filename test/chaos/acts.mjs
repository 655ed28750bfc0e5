// What goes wrong, one thing after the other, while processes are killed, and how soon the service is as quick as before.
import { setTimeout as pause } from 'node:timers/promises';
import { note } from '../../bench/stage.mjs';
import { until } from './stage.mjs';

const KILL_EVERY_MS = 4_000;
const AWAY_MS = 3_000;
/** Part of the time after which the primary is lost for good. */
const FAIL_OVER_AT = 0.6;
const QUIET_PART = 0.12;
const QUIET_MS = 10_000;
const WINDOW_MS = 1_000;
/** As quick as before: within this many times the p99 of the quiet time, and this much on top. */
const TIMES = 3;
const PLUS_MS = 50;
const GIVE_UP_MS = 30_000;
const LOOK_MS = 100;
const now = () => performance.now();

/** @param {readonly number[]} figures */
export function p99(figures) {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Infinity;
}

const ACTS = {
  'Redis stopped': async ({ redis }) => {
    await redis.stop('SIGKILL');
    await pause(AWAY_MS);
    await redis.start();
  },
  'bucket refusing': async ({ bucket }) => {
    await bucket.stop('SIGKILL');
    await pause(AWAY_MS);
    await bucket.start();
  },
  'PostgreSQL restarted': async ({ primary }) => {
    primary.stop('fast');
    primary.start();
  },
  'PostgreSQL crashed': async ({ primary }) => {
    primary.stop('immediate');
    await pause(AWAY_MS);
    primary.start();
  },
};
const FAIL_OVER = 'primary lost, standby promoted';

/** Kills a process every few seconds when all are there, and starts it again. */
class Killer {
  kills = 0;
  isPaused = false;
  isOver = false;

  constructor(replicas) {
    this.replicas = replicas;
    this.running = this.run();
  }

  async run() {
    for (let at = 0; !this.isOver; await pause(KILL_EVERY_MS)) {
      if (this.isPaused || !(await this.areLive())) continue;
      const replica = this.replicas[at++ % this.replicas.length];
      await replica.stop('SIGKILL');
      this.kills += 1;
      await replica.start();
    }
  }

  async areLive() {
    return (await Promise.all(this.replicas.map((replica) => replica.isLive()))).every(Boolean);
  }

  untilLive() {
    return until('A process', () => this.areLive());
  }

  async end() {
    this.isOver = true;
    await this.running;
  }
}

/** @returns in how many seconds checks are answered as quickly as before, or Infinity */
async function recovery({ checks, waiting }, limit) {
  const began = now();
  for (let from = began; now() - began < GIVE_UP_MS; await pause(LOOK_MS)) {
    const window = checks.filter(({ at }) => at >= from);
    const isSlow = window.some(({ ok, ms }) => !ok || ms > limit) || [...waiting].some((at) => now() - at > limit);
    if (isSlow) from = now();
    else if (now() - from >= WINDOW_MS && window.length > 0) return (from - began) / 1000;
  }
  return Infinity;
}

/**
 * Plays all of it.
 * @param {() => void} lose called right before the primary is lost
 */
export async function play(stage, traffic, seconds, lose) {
  const began = now();
  const passed = () => (now() - began) / 1000 / seconds;
  await pause(Math.min(QUIET_MS, seconds * 1000 * QUIET_PART));
  const quiet = p99(traffic.checks.map(({ ms }) => ms));
  const limit = TIMES * quiet + PLUS_MS;
  const killer = new Killer(stage.replicas);
  const recoveries = [];
  const act = async (name, disturb) => {
    note(`${Math.round((now() - began) / 1000)} s: ${name}…`);
    await disturb(stage);
    killer.isPaused = true;
    const took = await recovery(traffic, limit);
    note(`  as quick as before after ${took.toFixed(1)} s`);
    recoveries.push({ name, seconds: took });
    await killer.untilLive();
    killer.isPaused = false;
    await pause(KILL_EVERY_MS);
  };
  let isLost = false;
  for (let at = 0; passed() < 1 || !isLost; at += 1) {
    if (!isLost && passed() >= FAIL_OVER_AT) {
      isLost = true;
      await act(FAIL_OVER, () => {
        lose();
        return stage.failOver();
      });
    } else {
      const [name, disturb] = Object.entries(ACTS)[at % Object.keys(ACTS).length];
      await act(name, disturb);
    }
  }
  await killer.end();
  await killer.untilLive();
  return { quiet, limit, kills: killer.kills, recoveries };
}
