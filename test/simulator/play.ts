import { expectStatus, Given } from '../support/given.js';
import { TestControl } from '../support/keys.js';
import type { World } from '../support/app.js';
import { Cast } from './acts.js';
import { SimulatedDatabase } from './database.js';
import { Devices } from './devices.js';
import type { SimulatedDisk } from './disk.js';
import type { Kernel } from './kernel.js';
import { countRowLaws, type Judgements } from './laws.js';
import { Mailing } from './mailing.js';
import { Network } from './network.js';
import { Post } from './post.js';
import { Publishing } from './publishing.js';
import { Selling } from './selling.js';
import { Stage, STORES_HOST } from './stage.js';
import { Team } from './team.js';
import { Watching } from './watching.js';
import { Weather } from './weather.js';

const DAY = 86_400_000;
const YEAR = 365 * DAY;

interface Wish {
  readonly years: number;
  /** Those of the world whose people act; all of them when it is null. */
  readonly parts: readonly string[] | null;
  /** Path of a database without tables. */
  readonly snapshot: string;
}

export async function play(
  kernel: Kernel,
  { years, snapshot, parts }: Wish,
  judgements: Judgements,
  weather: Weather,
  disk: SimulatedDisk,
): Promise<void> {
  const network = new Network(kernel);
  await kernel.run(async () => {
    const database = await SimulatedDatabase.open(kernel, snapshot);
    const post = new Post(kernel, network);
    const stage = await Stage.set(kernel, network, post, database);
    await stage.start(1);
    await stage.start(2);
    weather.over(stage, post, disk);
    const cast = new Cast(kernel, judgements);
    const api = stage.api();
    const url = `http://${STORES_HOST}`;
    const control = new TestControl(url);
    const given = new Given(api, control);
    const clock = { now: () => new Date() };
    const world = { api, control, given, clock, sandbox: { url } } as unknown as World;
    const tenant = await given.tenant();
    const devices = await Devices.begin(cast, world, database, tenant);
    const team = await Team.begin(cast, world, tenant);
    const publishing = await Publishing.begin(cast, world, stage, tenant, team, 'Owl');
    const mailing = await Mailing.begin(cast, world, post, database, tenant);
    const selling = await Selling.begin(cast, world, database, tenant, mailing);
    const watching = await Watching.begin(cast, world, stage, tenant, team, publishing.secrets);
    const all = { team, publishing, selling, devices, watching, mailing };
    const acts = Object.entries(all).flatMap(([name, act]) => (parts?.includes(name) === false ? [] : [act]));
    if (acts.includes(publishing)) await publishing.open();
    const untilMs = kernel.nowMs + years * YEAR;
    for (const act of acts) act.live(untilMs);
    // A session that nobody uses for two weeks ends.
    cast.acts('author at the console', 2 * DAY, async () => {
      const look = async (): Promise<unknown> =>
        expectStatus(await api.as({ cookie: tenant.cookie }).get('/auth/me'), 200);
      await cast.once('the console', look, [401]);
    });
    weather.isClear = false;
    const settles = async (): Promise<void> => {
      await kernel.pause(years * YEAR, 'the weather clears');
      weather.isClear = true;
      cast.close();
      await kernel.pause(DAY, 'a day');
      for (const act of acts) await act.settle();
      await cast.gone();
    };
    await cast.during(settles());
    const rows = await database.look('select 1');
    if (rows === null) throw new Error('A transaction is left open');
    await countRowLaws((sql) => database.look(sql), judgements);
    await stage.strike();
  });
}
